import type { ButtonHTMLAttributes } from 'react'
import { type NeededScope, useMay } from '../api/hub.ts'
import { useWords } from '../language/language.tsx'
import { scopeWords } from './scope-words.ts'

type Look = 'normal' | 'primary' | 'danger' | 'plain'

interface Props extends ButtonHTMLAttributes<HTMLButtonElement> {
  readonly look?: Look
  /** On a hub: who lacks this scope sees what there is to do, and why not by them. */
  readonly needs?: NeededScope
}

export function Button({ look = 'normal', needs, className = '', ...rest }: Props) {
  const words = useWords(scopeWords)
  const may = useMay(needs)
  return (
    <button
      type="button"
      className={`button ${look} ${className}`.trim()}
      {...rest}
      {...(needs !== undefined && !may && { disabled: true, title: words.needs(needs) })}
    />
  )
}
