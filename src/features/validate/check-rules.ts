import { overBudget } from '../../addons/rules/hot-memory.ts'
import type { ValidationCheck } from './look.ts'

export const rulesCheck: ValidationCheck = {
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
