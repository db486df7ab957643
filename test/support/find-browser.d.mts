export function findBrowser(): string
export default function setup(): void
