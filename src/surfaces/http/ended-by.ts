/** A response that is streamed and ends with the signal at the latest. */
export function endedBy(
  response: Response,
  { signal, release }: { readonly signal: AbortSignal; readonly release: () => void },
): Response {
  if (response.body === null) {
    release()
    return response
  }
  const reader = (response.body as ReadableStream<Uint8Array>).getReader()
  const end = () => {
    reader.cancel().finally(release)
  }
  if (signal.aborted) end()
  else signal.addEventListener('abort', end, { once: true })
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await reader.read()
      if (!done) {
        controller.enqueue(value)
        return
      }
      signal.removeEventListener('abort', end)
      release()
      controller.close()
    },
    cancel() {
      signal.removeEventListener('abort', end)
      end()
    },
  })
  const { status, headers } = response
  return new Response(body, { status, headers })
}
