import { createServer } from 'node:http'
import { listen } from '../../infra/runtime/listen.ts'
import { createFeedback } from '../support/feedback.ts'
import { quantilesOf, recordFigure } from '../support/measuring.ts'
import { appendFeedback, startEngines } from './subject.ts'
import { measureWork } from './working.ts'

const ROUNDS = 3
const WARMING = 1000
const SIGNALS = 3000

/** Takes whatever is sent to it, as a collector does, and counts the bytes. */
const startSink = async () => {
  let bytes = 0
  const server = createServer((request, response) => {
    request.on('data', (part: Buffer) => (bytes += part.length))
    request.on('end', () => response.writeHead(200, { 'content-type': 'application/x-protobuf' }).end())
  })
  const { port, stop } = await listen(server, { host: '127.0.0.1', port: 0 })
  return { bytes: () => bytes, url: `http://127.0.0.1:${port}`, stop }
}

/** What traces, metrics and logs by OTLP cost a processor. Rounds alternate, so that each is beside one without. */
export const telemetry = async (): Promise<void> => {
  const [subject, sink] = [await startEngines(), await startSink()]
  const variants = { off: {}, on: { OTEL_EXPORTER_OTLP_ENDPOINT: sink.url } }
  const costs: Record<string, number[]> = {}
  try {
    const workspaceIds = await subject.createWorkspaces(100)
    const feedback = createFeedback(51)
    const append = (count: number) => () => appendFeedback(subject, workspaceIds, feedback, count)
    for (let round = 1; round <= ROUNDS; round += 1) {
      for (const [name, environment] of Object.entries(variants)) {
        const programs = await subject.start([environment])
        await measureWork(programs, WARMING, append(WARMING))
        const before = sink.bytes()
        const { cpuMs, seconds } = await measureWork(programs, SIGNALS, append(SIGNALS))
        await subject.stop()
        costs[name] = [...(costs[name] ?? []), cpuMs]
        const sent = (sink.bytes() - before) / SIGNALS / 1024
        console.log(
          `round ${round}  telemetry ${name.padEnd(3)} ${cpuMs.toFixed(2)} ms of the processor a signal, ${(SIGNALS / seconds).toFixed(0)} signals/s, ${sent.toFixed(1)} KiB a signal sent`,
        )
      }
    }
    for (const [name, each] of Object.entries(costs))
      recordFigure(`telemetry ${name}: CPU of processors`, quantilesOf(each)(0.5), 'ms a signal')
  } finally {
    await sink.stop()
    await subject.remove()
  }
}
