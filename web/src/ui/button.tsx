import type { ButtonHTMLAttributes } from 'react'

type Look = 'normal' | 'primary' | 'danger' | 'plain'

export function Button({
  look = 'normal',
  className = '',
  ...rest
}: { readonly look?: Look } & ButtonHTMLAttributes<HTMLButtonElement>) {
  return <button type="button" className={`button ${look} ${className}`.trim()} {...rest} />
}
