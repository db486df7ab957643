import { type AcrossAsker, askerOnHub } from '../../across/verbs/across-schema.ts'
import { askEntity, entityInput, entityOutput } from '../../across/verbs/entity.ts'
import { askEverywhere, everywhereInput, everywhereOutput } from '../../across/verbs/everywhere.ts'
import { askMet, metInput, metOutput } from '../../across/verbs/met.ts'
import { type AroundAsker, defineHubOperation } from './hub-operation.ts'

/** The same questions as in a project, asked of every project that the token may read. No verbs: whoever reaches the database is nobody there. */
export const hubEverywhereOperation = defineHubOperation({
  name: 'hub everywhere',
  agent: 'reads',
  hubRoute: { at: 'POST /api/hub/everywhere', scope: 'read' },
  summary: 'Search every project that the token may read',
  positionals: [],
  input: everywhereInput,
  output: everywhereOutput,
  examples: [],
  runOn: (_desk, input, _asker, around) => askEverywhere(askerOf(around), input, {}),
})

export const hubMetOperation = defineHubOperation({
  name: 'hub met',
  agent: 'reads',
  hubRoute: { at: 'POST /api/hub/met', scope: 'read' },
  summary: 'Who else has met this? An error or a decision, in every project that the token may read',
  positionals: [],
  input: metInput,
  output: metOutput,
  examples: [],
  runOn: (_desk, input, _asker, around) => askMet(askerOf(around), input, {}),
})

export const hubEntityOperation = defineHubOperation({
  name: 'hub entity',
  agent: 'reads',
  hubRoute: { at: 'POST /api/hub/entity', scope: 'read' },
  summary: 'In which projects an entity occurs, of those that the token may read',
  positionals: [],
  input: entityInput,
  output: entityOutput,
  examples: [],
  runOn: (_desk, input, _asker, around) => askEntity(askerOf(around), input, {}),
})

function askerOf(around: AroundAsker | undefined): AcrossAsker {
  if (around === undefined) throw new Error('several projects are asked with a token')
  return askerOnHub(around.across, around.clock)
}
