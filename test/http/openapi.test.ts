import { describe, expect, it } from 'vitest'
import { PATHS } from '../../src/surfaces/http/paths.generated.ts'
import { withServer } from './server-world.ts'

interface Described {
  readonly operationId: string
  readonly security: readonly object[]
  readonly parameters?: readonly { readonly name: string; readonly in: string; readonly required: boolean }[]
  readonly requestBody?: { readonly content: Record<string, { readonly schema: Schema }> }
  readonly responses: Record<string, { readonly content: Record<string, { readonly schema: Schema }> }>
}
interface Schema {
  readonly type?: string
  readonly properties?: Record<string, Schema & { readonly description?: string }>
  readonly required?: readonly string[]
}

describe('The OpenAPI document', () => {
  it('has every route, with what it takes and what it answers', async () => {
    await withServer(async ({ ask }) => {
      const answer = await ask('/api/openapi.json')
      expect(answer.headers.get('content-type')).toBe('application/json')
      const document = (await answer.json()) as {
        openapi: string
        paths: Record<string, Record<string, Described>>
      }
      expect(document.openapi).toBe('3.1.0')
      const described = Object.entries(document.paths).flatMap(([path, methods]) =>
        Object.entries(methods).map(([method, { operationId }]) => [
          operationId,
          `${method.toUpperCase()} ${path.replace(/\{(\w+)\}/g, ':$1')}`,
        ]),
      )
      expect(Object.fromEntries(described)).toEqual(PATHS)

      const show = document.paths['/api/entries/{target}']?.get
      expect(show?.parameters?.[0]).toMatchObject({ name: 'target', in: 'path', required: true })
      expect(show?.security).toEqual([{}, { token: [] }])
      const remember = document.paths['/api/entries']?.post
      expect(remember?.security).toEqual([{ token: [] }])
      const taken = remember?.requestBody?.content['application/json']?.schema
      expect(taken?.required).toEqual(['content'])
      expect(taken?.properties?.kind).toMatchObject({ type: 'string' })
      expect(taken?.properties?.kind?.description).toMatch(/\w/)
      const found = document.paths['/api/search']?.get?.responses[200]?.content['application/json']?.schema
      expect(found?.properties?.hits).toMatchObject({ type: 'array' })
      const live = document.paths['/api/live']?.get?.responses[200]?.content['text/event-stream']
      expect(Object.keys((live as unknown as { 'x-events': object })['x-events'])).toContain('change')
    })
  })

  it('says of every answer what it is', async () => {
    await withServer(async ({ ask }) => {
      const { paths } = (await (await ask('/api/openapi.json')).json()) as {
        paths: Record<string, Record<string, Described>>
      }
      for (const methods of Object.values(paths))
        for (const { operationId, responses } of Object.values(methods)) {
          const [content] = Object.values(responses[200]?.content ?? {})
          expect([operationId, Object.keys(content?.schema ?? {}).length > 0]).toEqual([operationId, true])
        }
    })
  })
})
