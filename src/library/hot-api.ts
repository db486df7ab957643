/** Rules and skills in the library. */

import type { InferOutput } from 'valibot'
import type { hotLinkOperation, hotLintOperation, hotOperation } from '../addons/rules/verbs/hot.ts'
import type { hotDemoteOperation, hotPromoteOperation } from '../addons/rules/verbs/hot-move.ts'
import type { NewSkill } from '../addons/skills/skills.ts'
import type {
  skillLinkOperation,
  skillListOperation,
  skillRemoveOperation,
  skillSaveOperation,
  skillShowOperation,
} from '../addons/skills/verbs/skill.ts'
import type { ComposedCheckout } from '../compose/composed.ts'

export interface LinkOptions {
  /** Only these hosts, whether the project has them or not. */
  readonly hosts?: readonly string[]
  /** Copies with a marker instead of links. */
  readonly copy?: boolean
  readonly dryRun?: boolean
}

export interface MemoryHot {
  /** The rule files, what they cost, and where they are linked. */
  list(options?: { rules?: boolean }): Promise<InferOutput<(typeof hotOperation)['output']>>
  /** The problems, and proposed moves based on session evidence. `passed` is false if there is a problem. */
  lint(options?: { strict?: boolean }): Promise<InferOutput<(typeof hotLintOperation)['output']>>
  link(options?: LinkOptions): Promise<InferOutput<(typeof hotLinkOperation)['output']>>
  unlink(options?: Omit<LinkOptions, 'copy'>): Promise<InferOutput<(typeof hotLinkOperation)['output']>>
  /** Makes an entry a rule. Throws `entry_not_found`, or `invalid_input` if the file is full. */
  promote(
    id: string,
    options?: { file?: string; dryRun?: boolean },
  ): Promise<InferOutput<(typeof hotPromoteOperation)['output']>>
  /** Moves a rule (`user-profile.md#4f9a1c`) to the vault or a workspace. */
  demote(
    rule: string,
    options?: { workspace?: string; dryRun?: boolean },
  ): Promise<InferOutput<(typeof hotDemoteOperation)['output']>>
}

export interface MemorySkills {
  /** Saves a skill and links it. Throws `file_exists` if the name is taken, unless `replace`. */
  save(
    skill: NewSkill,
    options?: { replace?: boolean; link?: boolean; dryRun?: boolean },
  ): Promise<InferOutput<(typeof skillSaveOperation)['output']>>
  list(options?: { workspace?: string }): Promise<InferOutput<(typeof skillListOperation)['output']>>
  /** Throws `skill_not_found`. */
  show(name: string): Promise<InferOutput<(typeof skillShowOperation)['output']>>
  /** Throws `skill_not_found`. */
  remove(
    name: string,
    options?: { dryRun?: boolean },
  ): Promise<InferOutput<(typeof skillRemoveOperation)['output']>>
  link(options?: LinkOptions): Promise<InferOutput<(typeof skillLinkOperation)['output']>>
  unlink(options?: Omit<LinkOptions, 'copy'>): Promise<InferOutput<(typeof skillLinkOperation)['output']>>
}

/** Few programs need it: the code is loaded by the first call. */
export function memoryHot(memory: ComposedCheckout): MemoryHot {
  const verbs = () => import('../addons/rules/verbs/hot.ts')
  const moves = () => import('../addons/rules/verbs/hot-move.ts')
  return {
    list: async (options = {}) => (await verbs()).hotOperation.run(memory, options, {}),
    lint: async (options = {}) => (await verbs()).hotLintOperation.run(memory, options, {}),
    link: async options => (await verbs()).hotLinkOperation.run(memory, linkInput(options), {}),
    unlink: async options => (await verbs()).hotUnlinkOperation.run(memory, linkInput(options), {}),
    promote: async (target, options = {}) =>
      (await moves()).hotPromoteOperation.run(memory, { target, ...options }, {}),
    demote: async (rule, options = {}) =>
      (await moves()).hotDemoteOperation.run(memory, { rule, ...options }, {}),
  }
}

export function memorySkills(memory: ComposedCheckout): MemorySkills {
  const verbs = () => import('../addons/skills/verbs/skill.ts')
  return {
    save: async ({ tags, ...skill }, options = {}) =>
      (await verbs()).skillSaveOperation.run(
        memory,
        { ...skill, ...options, ...(tags !== undefined && { tags: [...tags] }) },
        {},
      ),
    list: async (options = {}) => (await verbs()).skillListOperation.run(memory, options, {}),
    show: async name => (await verbs()).skillShowOperation.run(memory, { name }, {}),
    remove: async (name, options = {}) =>
      (await verbs()).skillRemoveOperation.run(memory, { name, ...options }, {}),
    link: async options => (await verbs()).skillLinkOperation.run(memory, linkInput(options), {}),
    unlink: async options => (await verbs()).skillUnlinkOperation.run(memory, linkInput(options), {}),
  }
}

function linkInput({ hosts, copy, dryRun }: LinkOptions = {}) {
  return {
    ...(hosts !== undefined && { host: [...hosts] }),
    ...(copy !== undefined && { copy }),
    ...(dryRun !== undefined && { dryRun }),
  }
}
