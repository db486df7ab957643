/** Must not import React: the first script of the page (`start.ts`) imports it. */

/** The hub server marks the document itself, so this is known before any request. Tests render parts without a document. */
export const isHub =
  typeof document !== 'undefined' && document.querySelector('meta[name="cairn-hub"]') !== null

/** `/p/{project}/`: the project of this page. Undefined on the hub's own page, or on a server with one memory. */
export const hubProject = isHub ? decodedName(/^\/p\/([^/]+)\//.exec(location.pathname)?.[1]) : undefined

/** Prefix of every route path of the memory. */
export const apiBase = hubProject === undefined ? '' : `/p/${encodeURIComponent(hubProject)}`

export function addressOfProject(name: string): string {
  return `/p/${encodeURIComponent(name)}/`
}

function decodedName(text: string | undefined): string | undefined {
  if (text === undefined) return undefined
  try {
    return decodeURIComponent(text)
  } catch (error) {
    if (error instanceof URIError) return text
    throw error
  }
}
