/** How what config.json asks for stands with the user of this machine. */
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
      /** `changed`: other settings were allowed here. */
      readonly why: 'none' | 'changed' | 'damaged'
    }
