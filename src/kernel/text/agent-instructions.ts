/** Why a text counts as an instruction to the agent that reads it. */
const INSTRUCTION_REASONS = [
  'overrides earlier instructions',
  'hides something from the user',
  'gives the reader a role',
  'imitates a message or a tool call',
  'orders the reader',
  'sends data out',
] as const
export type InstructionReason = (typeof INSTRUCTION_REASONS)[number]

const OVERRIDES = [
  /\b(?:ignore|disregard|forget|override|bypass)\s+(?:(?:all|any|the|your|my|these|those|every|of)\s+){0,4}(?:(?:previous|prior|above|earlier|preceding|existing|system|safety)\s+){1,2}(?:instructions?|rules?|prompts?|messages?|context|guidelines?|directions?|constraints?)\b/i,
  /\b(?:ignore|disregard|forget|override|bypass)\s+(?:(?:all|any|of|your|these)\s+){1,3}(?:instructions?|prompts?|guidelines?|safety)\b/i,
  /\b(?:ignore|forget|disregard)\s+everything\s+(?:above|before|you|said|written)\b/i,
  /\b(?:ignor[ea]|esque[cç]a|esquece|desconsider[ea]|olvida)\s+(?:(?:tudo|todas?|todos?|as|os|las|los|suas|seus|tus|qualquer|o)\s+){0,3}(?:instru[cç](?:[oõ]es|[aã]o)|instrucciones|regras|reglas|ordens|[oó]rdenes|prompts?|que (?:foi dito|veio) antes)/i,
  /\bnew (?:system )?instructions?\s*(?::|for you\b)|\bnovas instru[cç][oõ]es\s*:/i,
]

const HIDES = [
  /\b(?:do not|don['’]?t|never|must not|without)\s+(?:tell(?:ing)?|inform(?:ing)?|mention(?:ing)?|reveal(?:ing)?|show(?:ing)?|notify(?:ing)?|disclos(?:e|ing)|alert(?:ing)?|ask(?:ing)?)\b[^.!?\n]{0,40}\b(?:the|this|your|any) (?:user|human|developer|person|operator)\b/i,
  /\b(?:keep|hide)\s+(?:this|it|that)\s+(?:a secret |secret |hidden )?from\s+(?:the |your )?(?:user|human|developer)\b/i,
  /\b(?:n[aã]o|nunca|sem|jamais|sin|no)\s+(?:cont\w+|diga\w*|dizer|avis\w+|mencion\w+|revel\w+|mostr\w+|inform\w+|pergunt\w+|pregunt\w+)\b[^.!?\n]{0,40}\b(?:ao?|para [oa]|pr[oa]|al) (?:usu[aá]rio|utilizador|pessoa|usuario)\b/i,
  /\b(?:do not|don['’]?t|never)\s+ask\s+(?:(?:the user|anyone|me)\s+)?for\s+(?:confirmation|permission|approval|consent)\b/i,
]

const ROLES = [
  /\byou are (?:now )?(?:an? |the |my )?(?:[\w-]+ ){0,5}(?:assistant|agent|chatbot|bot|language model|llm|ai|jailbroken|dan)\b/i,
  /\byou (?:do not|don['’]?t|no longer|now) have (?:the )?(?:permission|authori[sz]ation|access|authority)\b/i,
  /\b(?:pretend|roleplay|role-play|act)\s+(?:as if you|that you|to be|as (?:an?|the) (?:[\w-]+ ){0,3}(?:assistant|agent|ai|bot|admin|administrator|root|hacker|expert|developer))\b/i,
  /\b(?:voc[eê] [eé]|tu [eé]s|eres) (?:agora |ahora )?(?:uma? |un |o |el )?(?:[\wà-ú-]+ ){0,4}(?:assistente|asistente|agente|rob[oô]|bot|ia)\b/i,
  /\bvoc[eê] n[aã]o tem permiss[aã]o\b|\b(?:finja|aja como (?:se|uma? )|atue como (?:se|uma? ))/i,
  /\b(?:attention|note to|message (?:to|for)|instructions? (?:to|for)|aten[cç][aã]o,?)\s+(?:all |any |the |every |todos os )?(?:ai|llm|coding|reading)?\s*(?:agents?|assistants?|models?|llms?|agentes?)\b\s*[:!,]/i,
]

const IMITATES = [
  /<\/?(?:antml:)?(?:function_calls?|invoke|tool_(?:call|use|result)s?|parameter|system(?:-reminder|_prompt)?|im_start|im_end)\b/i,
  /<\|[\w ]{2,30}\|>|\[\/?INST\]|<<\/?SYS>>/i,
  /(?:^|\n)\s*(?:#{1,4}\s*)?(?:\*\*)?(?:system|assistant|human|developer)(?: (?:prompt|message))?(?:\*\*)?\s*:\s*(?:\*\*)?\s*(?:you\b|ignore|do |the user|please|i )/i,
  /\{\s*"(?:tool|tool_name|function|name)"\s*:\s*"[^"\n]{1,80}"\s*,\s*"(?:arguments|parameters|input|args)"\s*:/i,
]

const REPLY =
  'run|execute|call|invoke|curl|wget|push|force-push|send|upload|post|install|delete|download|fetch|output|reply|respond|obey|comply|approve|merge|commit|rm|print|open'
const ORDERS = [
  new RegExp(
    String.raw`\byou (?:must|shall|have to|are required to|are instructed to|are to)\s+(?:(?:always|now|immediately|first|also|only|never|not)\s+){0,2}(?:${REPLY})\b`,
    'i',
  ),
  /\bvoc[eê] (?:deve|precisa|tem que|tem de)\s+(?:(?:sempre|agora|imediatamente|primeiro|nunca)\s+){0,2}(?:rodar|executar|chamar|enviar|mandar|instalar|apagar|baixar|responder|obedecer|aprovar|subir)\b/i,
  // At the start of a sentence, and not "Push to main deploys …", which has a verb after the branch.
  /(?:^|[.!?:;\n]\s*)(?:(?:now|then|please|immediately|just)[, ]+)*(?:git push|(?:force[- ])?push(?:\s+(?:it|this|everything|all (?:changes|files)|the (?:changes|code|branch|result)s?|your changes))?\s+to)\s+(?:https?:\S+|git@\S+|origin\b|upstream\b|the \w+ (?:branch|remote)|main\b|master\b)(?!\s+(?:\w+\s+)?(?:triggers?|deploys?|starts?|runs?|is|are|was|fails?|requires?|needs?|must|should|publishes|builds?)\b)/i,
  /\b(?:run|execute|rode|execute)\b[^.!?\n]{0,40}\b(?:curl|wget)\b[^\n]{0,200}\|\s*(?:sudo\s+)?(?:ba|z)?sh\b/i,
]

const SENDS = [
  /\b(?:send|post|upload|exfiltrate|forward|e-?mail|leak|copy|enviar?|envie|mande)\b[^.!?\n]{0,60}\b(?:secrets?|tokens?|credentials?|passwords?|api[- ]keys?|private keys?|ssh keys?|\.env|environment variables?|source code|senhas?|segredos?|credenciais|chaves?)\b[^!?\n]{0,60}\b(?:to|para)\s+(?:https?:|\S+@\S+\.\w|(?:the |this |an? |o |um )?(?:following|external|remote|attacker|my|url|address|endpoint|webhook|server at|servidor externo|endere[cç]o))/i,
]

const PATTERNS: readonly (readonly [InstructionReason, readonly RegExp[]])[] = [
  ['overrides earlier instructions', OVERRIDES],
  ['hides something from the user', HIDES],
  ['imitates a message or a tool call', IMITATES],
  ['gives the reader a role', ROLES],
  ['sends data out', SENDS],
  ['orders the reader', ORDERS],
]

/** Only the beginning of a longer text is searched; a stored statement is shorter. */
const MAX_SEARCHED = 20_000

/**
 * Whether a text tries to direct the agent that reads it, and how. A rule about the project ("Never push to main", "Always run the
 * migrations first") does not: it applies to everyone, and is not an order to "you" now. For text that a machine wrote, imported or
 * pasted. A person may store any text.
 */
export function findAgentInstruction(text: string): InstructionReason | undefined {
  const searched = text.slice(0, MAX_SEARCHED)
  return PATTERNS.find(([, patterns]) => patterns.some(pattern => pattern.test(searched)))?.[0]
}
