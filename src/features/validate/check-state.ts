import { inMemory } from './decide/finding.ts'
import { judgeState } from './decide/project-state.ts'
import { findingOf, type ValidationCheck, type ValidationRun } from './look.ts'

const CHECKPOINTS = 'history/checkpoints'
/** So many of the newest are read without being asked. */
const NEWEST_CHECKPOINTS = 20

export const stateCheck: ValidationCheck = {
  name: 'state',
  about: 'state.json and history/checkpoints/: the bundle and its snapshots',
  async run(look) {
    if (look.has(CHECKPOINTS)) await readCheckpoints(look)
    if (!look.has('state.json')) return
    const { state } = look.engine
    const reading = await state.read()
    if (reading.kind === 'damaged') look.add([findingOf(reading.problem, 'error')])
    if (reading.kind === 'newer')
      look.add([
        {
          code: 'state_newer',
          severity: 'warning',
          path: inMemory('state.json'),
          message: `version ${reading.version}: a newer Cairn has written it`,
          fix: 'Update Cairn.',
        },
      ])
    if (reading.kind !== 'read') return
    look.add(
      judgeState({
        state: reading.state,
        isHandEdited: reading.isHandEdited === true,
        checkpoints: new Set((await state.checkpoints()).map(({ id }) => id)),
        events: look.events(),
        hasPruned: look.items.some(({ path }) => path.startsWith('archive/prune-')),
      }),
    )
  },
}

async function readCheckpoints(look: ValidationRun): Promise<void> {
  const { state } = look.engine
  const all = await state.checkpoints()
  const read = look.isDeep ? all : all.slice(0, NEWEST_CHECKPOINTS)
  if (read.length < all.length)
    look.skip(`${all.length - read.length} older checkpoints`, 'only the newest are read without --deep')
  for (const { id } of read) {
    const reading = await state.readCheckpoint(id)
    if (reading?.kind === 'damaged') look.add([findingOf(reading.problem, 'error')])
  }
}
