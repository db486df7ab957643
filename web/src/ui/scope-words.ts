import type { NeededScope } from '../api/hub.ts'
import type { Messages } from '../language/language.tsx'

const en = {
  /** Above a view. */
  why: {
    write: 'You may read this project. Changing it needs a token with the scope `write`.',
    admin:
      'How this project is set and tidied is for whoever administers it: a token with the scope `admin`.',
  } as Readonly<Record<NeededScope, string>>,
  /** At one control. */
  needs: (scope: NeededScope) => `Needs a token with the scope ${scope}`,
}

export const scopeWords: Messages<typeof en> = {
  en,
  pt: {
    why: {
      write: 'Você pode ler este projeto. Para alterá-lo é preciso um token com a permissão `write`.',
      admin: 'Configurar e arrumar este projeto cabe a quem o administra: um token com a permissão `admin`.',
    },
    needs: scope => `Exige um token com a permissão ${scope}`,
  },
}
