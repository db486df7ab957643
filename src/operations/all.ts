import type { Operation } from './operation.ts'

/** Every verb by name, loaded when it is used: a cold `cairn search` pays for search alone. */
export const OPERATIONS: Readonly<Record<string, () => Promise<Operation>>> = {
  remember: async () => (await import('./remember.ts')).rememberOperation,
  search: async () => (await import('./search.ts')).searchOperation,
  list: async () => (await import('./list.ts')).listOperation,
  show: async () => (await import('./show.ts')).showOperation,
  edit: async () => (await import('./edit.ts')).editOperation,
  forget: async () => (await import('./forget.ts')).forgetOperation,
  pin: async () => (await import('./pin.ts')).pinOperation,
  'task add': async () => (await import('./task.ts')).taskAddOperation,
  'task done': async () => (await import('./task.ts')).taskDoneOperation,
  'task list': async () => (await import('./task.ts')).taskListOperation,
  'alias add': async () => (await import('./alias.ts')).aliasAddOperation,
  'alias list': async () => (await import('./alias.ts')).aliasListOperation,
  'alias remove': async () => (await import('./alias.ts')).aliasRemoveOperation,
  import: async () => (await import('./import.ts')).importOperation,
  embed: async () => (await import('./embed.ts')).embedOperation,
  export: async () => (await import('./export.ts')).exportOperation,
  log: async () => (await import('./log.ts')).logOperation,
  undo: async () => (await import('./undo.ts')).undoOperation,
  status: async () => (await import('./status.ts')).statusOperation,
  doctor: async () => (await import('./doctor.ts')).doctorOperation,
  'config list': async () => (await import('./config.ts')).configListOperation,
  'config get': async () => (await import('./config.ts')).configGetOperation,
  'config set': async () => (await import('./config.ts')).configSetOperation,
  'config unset': async () => (await import('./config.ts')).configUnsetOperation,
}
