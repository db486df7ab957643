/** The five vault files of an agent, in the order in which they are listed to people. */
export const CATEGORIES = ['decisions', 'lessons', 'tasks', 'projects', 'handoffs'] as const
export type Category = (typeof CATEGORIES)[number]

export function isCategory(value: string): value is Category {
  return (CATEGORIES as readonly string[]).includes(value)
}

/**
 * Each kind has one home file. The nine kinds of the two-tier design come first; then the plain ones, which an entry of a file has if
 * nothing more precise is known. Any other kind is free-form and is stored in `lessons` unless the writer names the file.
 */
export const KIND_HOME = {
  decision: 'decisions',
  architecture: 'decisions',
  preference: 'decisions',
  pattern: 'lessons',
  warning: 'lessons',
  discovery: 'lessons',
  error: 'lessons',
  file_change: 'projects',
  task_progress: 'tasks',
  lesson: 'lessons',
  task: 'tasks',
  project: 'projects',
  handoff: 'handoffs',
} as const satisfies Record<string, Category>

export type Kind = keyof typeof KIND_HOME | (string & {})

/** The kind of an entry of which only the file is known. */
export const DEFAULT_KIND: Record<Category, Kind> = {
  decisions: 'decision',
  lessons: 'lesson',
  tasks: 'task',
  projects: 'project',
  handoffs: 'handoff',
}

/** Marks the entry that replaces those of a file that rolled over into dated pages. Never indexed, never listed. */
export const SUMMARY_KIND = 'rollover_summary'

export function homeOfKind(kind: Kind): Category {
  return Object.hasOwn(KIND_HOME, kind) ? KIND_HOME[kind as keyof typeof KIND_HOME] : 'lessons'
}
