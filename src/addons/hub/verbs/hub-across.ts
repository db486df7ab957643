import { type AcrossAsker, askerOnHub } from '../../across/verbs/across-schema.ts'
import { askEntity, entityInput, entityOutput } from '../../across/verbs/entity.ts'
import { askEverywhere, everywhereInput, everywhereOutput } from '../../across/verbs/everywhere.ts'
import { askMet, metInput, metOutput } from '../../across/verbs/met.ts'
import { type AroundAsker, defineHubOperation } from './hub-operation.ts'

/** The cross-project searches, over every project that the token may read. They are not CLI verbs: a caller with database access has no principal. */
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
  summary: 'Find who else met an error or a decision, in every project that the token may read',
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
  summary: 'List the projects with an entity, of those that the token may read',
  positionals: [],
  input: entityInput,
  output: entityOutput,
  examples: [],
  runOn: (_desk, input, _asker, around) => askEntity(askerOf(around), input, {}),
})

function askerOf(around: AroundAsker | undefined): AcrossAsker {
  if (around === undefined) throw new Error('a search over several projects needs a token')
  return askerOnHub(around.across, around.clock)
}
