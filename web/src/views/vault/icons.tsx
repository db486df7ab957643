import type { ReactNode } from 'react'

function Icon({ children }: { readonly children: ReactNode }) {
  return (
    <svg
      aria-hidden="true"
      width="16"
      height="16"
      viewBox="0 0 16 16"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.5"
      strokeLinecap="round"
      strokeLinejoin="round"
    >
      {children}
    </svg>
  )
}

export const Pencil = () => (
  <Icon>
    <path d="M11 2.5 13.5 5 5.5 13H3v-2.5zM9.5 4 12 6.5" />
  </Icon>
)
export const PinIcon = ({ isOn }: { readonly isOn: boolean }) => (
  <Icon>
    <path d="M6 2h4l-.5 4.5L12 9H4l2.5-2.5zM8 9v5" fill={isOn ? 'currentColor' : 'none'} />
  </Icon>
)
export const Cross = () => (
  <Icon>
    <path d="m4 4 8 8m0-8-8 8" />
  </Icon>
)
export const Glass = () => (
  <Icon>
    <circle cx="7" cy="7" r="4.5" />
    <path d="m10.5 10.5 3 3" />
  </Icon>
)
export const Plus = () => (
  <Icon>
    <path d="M8 3v10M3 8h10" />
  </Icon>
)
export const Funnel = () => (
  <Icon>
    <path d="M2 3h12L9.5 8.5V13L6.5 11.5v-3z" />
  </Icon>
)
