/** Whether the user of this machine has allowed what config.json asks for. */
export type ConsentStanding<Terms> =
  | { readonly kind: 'off' }
  | {
      readonly kind: 'allowed'
      readonly terms: Terms
      readonly code: string
      /** UTC, to the minute. */
      readonly since: string
    }
  | {
      readonly kind: 'not_allowed'
      readonly terms: Terms
      readonly code: string
      /** `changed`: the user allowed other settings. */
      readonly why: 'none' | 'changed' | 'damaged'
    }
