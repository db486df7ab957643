/** Knows nothing of React: the first script of the page asks by it. */

/** The server of a hub says so in the document itself, before any question. Parts are rendered without one as well. */
export const isHub =
  typeof document !== 'undefined' && document.querySelector('meta[name="cairn-hub"]') !== null

/** `/p/{project}/`: the project that this page is of; undefined: the hub itself, or the one memory of a server. */
export const hubProject = isHub ? decodedName(/^\/p\/([^/]+)\//.exec(location.pathname)?.[1]) : undefined

/** Before the path of every route of the memory. */
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
