import type { Tenant } from './tenant.ts'

/** Texts of the project that are kept with its memory, such as `.memory/_project.md`. */
export function postgresTexts(tenant: Tenant): { read(path: string): Promise<string | undefined> } {
  return { read: path => readText(tenant, path) }
}

export async function readText(tenant: Tenant, path: string): Promise<string | undefined> {
  const row = await tenant.one<{ body: string }>(
    'SELECT f.body FROM text_file f WHERE f.project = $1 AND f.path = $2',
    path,
  )
  return row?.body
}
