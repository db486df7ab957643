import type { Hono } from 'hono'
import { type AdmissionRules, admitCaller } from './admission.ts'
import { methodUnknown, peerOf } from './app.ts'
import { openApiDocument } from './openapi.ts'
import { noteRequest } from './watching/request-note.ts'

/** The contract as a document: made when it is first asked for. */
export function serveOpenApi(
  app: Hono,
  { rules, version }: { readonly rules: AdmissionRules; readonly version: string },
): void {
  let made: Promise<string> | undefined
  app.get('/api/openapi.json', async context => {
    noteRequest(context, { route: 'openapi' })
    admitCaller(context, 'read', { rules, peer: peerOf(context) })
    made ??= openApiDocument(version).then(document => JSON.stringify(document))
    return context.body(await made, 200, { 'content-type': 'application/json', 'cache-control': 'no-cache' })
  })
  app.all('/api/openapi.json', context => {
    throw methodUnknown(context, ['GET'])
  })
}
