import { monitorEventLoopDelay, performance } from 'node:perf_hooks'
import type { Hub } from '../../../compose/compose-hub.ts'
import { type MetricRegistry, metricRegistry } from './metric-registry.ts'
import type { RequestNote } from './request-note.ts'

/** In seconds. A search takes a few milliseconds, an import minutes. */
const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
const MS_PER_S = 1_000
const NS_PER_S = 1e9
const US_PER_S = 1e6

interface AnsweredRequest {
  readonly note: RequestNote
  readonly status: number
  readonly ms: number
}

export interface ServerMetrics {
  readonly registry: MetricRegistry
  /** Called when a request arrives; the returned function is called when it ends. */
  begin(): (answered: AnsweredRequest) => void
  /** Requests that need work now: neither open streams nor requests that wait for an event. */
  underWay(): number
  /** Counts a stream as open until the returned function is called. */
  beginStream(): () => void
  /** Counts a request as waiting (for a task or a change) until the returned function is called; further calls do nothing. */
  beginWait(): () => void
  countWrite(): void
  countSearch(): void
  /** An answer that reports itself as degraded. */
  countDegraded(code: string): void
  /** A call of an MCP tool, over either transport. */
  countCall(tool: string, call: { readonly isChanging: boolean; readonly outcome: string }): void
  countFault(): void
}

/** Metrics of every server. */
export function serverMetrics({ version }: { readonly version: string }): ServerMetrics {
  const registry = metricRegistry()
  const requests = registry.counter(
    'cairn_requests_total',
    'Requests that were answered, by route and class of status.',
  )
  const durations = registry.histogram(
    'cairn_request_duration_seconds',
    'From the headers of a request to the end of its answer; streams are left out.',
    BUCKETS,
  )
  const refused = registry.counter(
    'cairn_requests_refused_total',
    'Requests that failed, by the code of why.',
  )
  const limited = registry.counter(
    'cairn_requests_rate_limited_total',
    'Requests beyond the rate of a client.',
  )
  const writes = registry.counter(
    'cairn_writes_total',
    'Requests that changed something, and were answered so.',
  )
  const searches = registry.counter('cairn_searches_total', 'Searches that were answered.')
  const degraded = registry.counter(
    'cairn_answers_degraded_total',
    'Answers of REST that are poorer than they could be, by the code of why.',
  )
  const faults = registry.counter('cairn_faults_total', 'Faults of Cairn itself; each is in the log.')
  for (const counter of [limited, writes, searches, faults]) counter.add({}, 0)
  let inFlight = 0
  let streams = 0
  let waits = 0
  registry.reading('gauge', 'cairn_requests_in_flight', 'Requests that are being answered.', () => inFlight)
  registry.reading('gauge', 'cairn_event_streams', 'Streams of events that are open.', () => streams)
  registry.reading('gauge', 'cairn_build_info', 'Which Cairn and which Node run here.', () => [
    { labels: { version, node: process.versions.node }, value: 1 },
  ])
  readProcess(registry)
  return {
    registry,
    begin() {
      inFlight++
      return ({ note, status, ms }) => {
        inFlight--
        const route = note.route ?? 'none'
        requests.add({ route, status: `${Math.floor(status / 100)}xx` })
        if (note.isStream !== true) durations.observe(ms / MS_PER_S, { route })
        if (note.refused !== undefined) refused.add({ reason: note.refused })
        if (note.refused === 'too_many_requests') limited.add()
      }
    },
    underWay: () => inFlight - streams - waits,
    beginStream() {
      streams++
      return () => {
        streams--
      }
    },
    beginWait() {
      waits++
      let isOver = false
      return () => {
        if (!isOver) waits--
        isOver = true
      }
    },
    countWrite: () => writes.add(),
    countSearch: () => searches.add(),
    countDegraded: code => degraded.add({ code }),
    countCall(tool, { isChanging, outcome }) {
      if (outcome !== 'done') return
      if (tool === 'search') searches.add()
      if (isChanging) writes.add()
    },
    countFault: () => faults.add(),
  }
}

/** Background work: vectors, comparing, upkeep, recall. */
export function readBackground({ reading }: MetricRegistry, steps: () => number): void {
  reading('counter', 'cairn_background_steps_total', 'Steps of background work.', steps)
}

function readProcess({ reading }: MetricRegistry): void {
  const startedAt = Date.now() / MS_PER_S - process.uptime()
  // Created on the first read, because it wakes the process fifty times a second.
  let delay: ReturnType<typeof monitorEventLoopDelay> | undefined
  let before = performance.eventLoopUtilization()
  reading(
    'gauge',
    'cairn_event_loop_delay_seconds',
    'How late timers were since the last reading; the first reading begins it.',
    () => {
      if (delay === undefined) {
        delay = monitorEventLoopDelay({ resolution: 20 })
        delay.enable()
        return undefined
      }
      // Without samples the maximum and the percentiles are 0.
      const lines = [
        { labels: { quantile: '0.5' }, value: delay.percentile(50) / NS_PER_S },
        { labels: { quantile: '0.99' }, value: delay.percentile(99) / NS_PER_S },
        { labels: { quantile: '1' }, value: delay.max / NS_PER_S },
      ]
      delay.reset()
      return lines
    },
  )
  reading(
    'gauge',
    'cairn_event_loop_utilization',
    'Share of the time since the last reading in which the process was at work, 0 to 1.',
    () => {
      const now = performance.eventLoopUtilization()
      const { utilization } = performance.eventLoopUtilization(now, before)
      before = now
      return utilization
    },
  )
  reading('counter', 'process_cpu_seconds_total', 'Processor time, user and system.', () => {
    const { user, system } = process.cpuUsage()
    return (user + system) / US_PER_S
  })
  reading('gauge', 'process_resident_memory_bytes', 'Memory of the process.', () => process.memoryUsage.rss())
  reading('gauge', 'cairn_heap_used_bytes', 'Memory that JavaScript objects take.', () => {
    return process.memoryUsage().heapUsed
  })
  reading('gauge', 'process_start_time_seconds', 'When the process began, since 1970.', () => startedAt)
}

/** Metrics of a hub: its pool, its database, its projects. */
export function readHub(registry: MetricRegistry, hub: Hub): void {
  const { reading } = registry
  readBackground(registry, hub.backgroundSteps)
  const { usage } = hub.pool
  if (usage !== undefined)
    reading('gauge', 'cairn_database_connections', 'Connections of the pool, by what they do.', () => {
      const { inUse, idle, waiting, most } = usage()
      return Object.entries({ in_use: inUse, idle, waiting, most }).map(([state, value]) => ({
        labels: { state },
        value,
      }))
    })
  reading(
    'gauge',
    'cairn_database_up',
    'Whether the database answers, in time and with our tables.',
    async () => ((await hub.database()).kind === 'ready' ? 1 : 0),
  )
  reading('gauge', 'cairn_database_round_trip_seconds', 'One small question to the database.', async () => {
    const state = await hub.database()
    return state.kind === 'unreachable' ? undefined : state.roundTripMs / 1_000
  })
  reading('gauge', 'cairn_schema_version', 'The version of the tables.', async () => {
    const state = await hub.database()
    return state.kind === 'unreachable' ? undefined : state.version
  })
  reading('gauge', 'cairn_open_projects', 'Projects whose memory is open.', () => hub.openProjects())
}
