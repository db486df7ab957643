import { overBudget } from '../../addons/rules/hot-memory.ts'
import type { Check } from './look.ts'

export const rulesCheck: Check = {
  name: 'rules',
  about: 'rule files that every conversation begins with: their budgets',
  async run(look) {
    look.add(
      (await overBudget(look.engine)).map(({ path, message, hint }) => ({
        code: 'rules_over_budget',
        severity: 'warning',
        path,
        message,
        fix: hint,
      })),
    )
  },
}
