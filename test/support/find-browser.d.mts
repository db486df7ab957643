export const NO_BROWSER: string
export function findBrowser(): string | undefined
export function getBrowser(): string
