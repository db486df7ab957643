/**
 * A fresh process of the embed bench: `embed-once.js <model folder> <text> <tokens>`. Prints what it took from importing the
 * embedder to the first vector, as JSON.
 */
const [modelFolder = '', text = '', tokens = '64'] = process.argv.slice(2)
const rssBefore = process.memoryUsage.rss()
const cpuBefore = process.cpuUsage()
const start = performance.now()
const { openBuiltInEmbedder } = await import('../src/providers/embedder/built-in-embedder.ts')
const embedder = openBuiltInEmbedder(modelFolder)
const [vector] = await embedder.embed([text], { maxTokens: Number(tokens) })
const wallMs = performance.now() - start
const cpu = process.cpuUsage(cpuBefore)
process.stdout.write(
  JSON.stringify({
    wallMs,
    cpuMs: (cpu.user + cpu.system) / 1000,
    memoryMb: (process.memoryUsage.rss() - rssBefore) / 1e6,
    dimensions: vector?.length,
  }),
)
await embedder.close()
