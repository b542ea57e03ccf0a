import { after, before, describe } from 'node:test'
import { type Collector, startCollector } from '../../infra/telemetry/testing-collector.ts'
import { type Installation, startInstallation } from '../support/installation.ts'
import { MAIL_ENVIRONMENT } from '../support/mail.ts'
import { describeScenarios } from './scenarios/index.ts'
import { describeTelemetry } from './scenarios/telemetry.ts'

describe('In one process, on the embedded default', () => {
  let installation: Installation
  let collector: Collector
  before(async () => {
    collector = await startCollector()
    const telemetry = {
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_METRIC_EXPORT_INTERVAL: '1000',
      OTEL_BSP_SCHEDULE_DELAY: '200',
    }
    installation = await startInstallation({ ...MAIL_ENVIRONMENT, ...telemetry })
  })
  after(async () => {
    await installation?.remove()
    await collector?.stop()
  })

  describeScenarios(() => installation)
  describeTelemetry(
    () => installation,
    () => collector,
  )
})
