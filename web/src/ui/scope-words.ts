import type { NeededScope } from '../api/hub.ts'
import type { Messages } from '../language/language.tsx'

const en = {
  /** Shown above a view. */
  why: {
    write: 'You can read this project. Changes need a token with the scope `write`.',
    admin: 'The settings and upkeep of this project need a token with the scope `admin`.',
  } as Readonly<Record<NeededScope, string>>,
  /** Shown at one control. */
  needs: (scope: NeededScope) => `Needs a token with the scope ${scope}`,
}

export const scopeWords: Messages<typeof en> = {
  en,
  pt: {
    why: {
      write: 'Você pode ler este projeto. Para fazer alterações, é preciso um token com a permissão `write`.',
      admin: 'As configurações e a manutenção deste projeto exigem um token com a permissão `admin`.',
    },
    needs: scope => `Exige um token com a permissão ${scope}`,
  },
}
