import type { ButtonHTMLAttributes } from 'react'
import { type NeededScope, useMay } from '../api/hub.ts'
import { useWords } from '../language/language.tsx'
import { scopeWords } from './scope-words.ts'

type Look = 'normal' | 'primary' | 'danger' | 'plain'

interface Props extends ButtonHTMLAttributes<HTMLButtonElement> {
  readonly variant?: Look
  /** On a hub, the button is disabled for users without this scope, with the reason in its title. */
  readonly needs?: NeededScope
}

export function Button({ needs, ...rest }: Props) {
  return needs === undefined ? <Plain {...rest} /> : <Scoped needs={needs} {...rest} />
}

function Scoped({ needs, ...rest }: Props & { readonly needs: NeededScope }) {
  const words = useWords(scopeWords)
  return useMay(needs) ? <Plain {...rest} /> : <Plain {...rest} disabled title={words.needs(needs)} />
}

function Plain({ variant = 'normal', className = '', ...rest }: Omit<Props, 'needs'>) {
  return <button type="button" className={`button ${variant} ${className}`.trim()} {...rest} />
}
