/**
 * Where each host reads rules and skills in a project, as far as it was seen to (docs/guide/hot-memory.md says how each was proven).
 *
 *   link   the host reads plain Markdown: a symlink, always as new as its source
 *   copy   it needs front matter of its own to apply a rule always: a copy with a marker
 */
export interface HostRuleFolders {
  readonly host: string
  /** If one of these exists in the project, the host is used here. */
  readonly signs: readonly string[]
  readonly rules?: RuleFolder
  /** For hosts without a rules folder: how they receive the rules anyway. */
  readonly instead?: string
  readonly skills?: string
}

interface RuleFolder {
  readonly folder: string
  /** The ending of host files; our own files end with `.md`. */
  readonly ending: string
  readonly form: LinkForm
  /** Subfolders have another purpose. */
  readonly isFlat?: true
  /** The lines between `---` with which the host applies a copy always. */
  readonly frontMatter?: string
  /** What the user must know about this host. */
  readonly note?: string
}

export type LinkForm = 'link' | 'copy'

export const HOST_FOLDERS: readonly HostRuleFolders[] = [
  {
    host: 'claude-code',
    signs: ['.claude'],
    rules: { folder: '.claude/rules', ending: '.md', form: 'link' },
    skills: '.claude/skills',
  },
  {
    host: 'codex',
    signs: ['.codex', '.agents'],
    rules: {
      folder: '.codex',
      ending: '.md',
      form: 'link',
      isFlat: true,
      note: 'Codex itself reads AGENTS.md alone: name these files there.',
    },
    skills: '.agents/skills',
  },
  {
    host: 'cursor',
    signs: ['.cursor'],
    rules: { folder: '.cursor/rules', ending: '.mdc', form: 'copy', frontMatter: 'alwaysApply: true' },
  },
  {
    host: 'copilot',
    signs: ['.github/copilot-instructions.md', '.github/instructions', '.github/skills'],
    rules: {
      folder: '.github/instructions',
      ending: '.instructions.md',
      form: 'copy',
      frontMatter: 'applyTo: "**"',
    },
    skills: '.github/skills',
  },
  {
    host: 'cline',
    signs: ['.cline'],
    rules: { folder: '.cline/rules', ending: '.md', form: 'link' },
  },
  {
    host: 'gemini',
    signs: ['.gemini'],
    instead: 'Gemini reads no folder of rules: import the files in GEMINI.md, one `@./path` a line.',
    skills: '.agents/skills',
  },
  {
    host: 'opencode',
    signs: ['.opencode'],
    instead: 'OpenCode reads no folder of rules: name the files in `instructions` of opencode.json.',
    skills: '.opencode/skills',
  },
]

export const LINK_HOSTS: readonly string[] = HOST_FOLDERS.map(({ host }) => host)
