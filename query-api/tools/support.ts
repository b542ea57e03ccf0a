import { supportDiagnose } from '../operations/support/diagnose.ts'
import { supportPipeline } from '../operations/support/pipeline.ts'
import { supportSignal } from '../operations/support/signal.ts'
import { sourceHealth } from '../operations/workspace/source-health.ts'
import { defineTool } from './define-tool.ts'

export const serviceSupport = defineTool({
  name: 'service_support',
  title: 'Find out why something does not work',
  description:
    'When the workspace does not behave as expected. diagnose: checks all of it and answers findings with cause, evidence and the next call. signal: one signal, step by step through the pipeline. pipeline: what each step did in the last hour, and the dead letters by step and reason. source: what one source’s endpoint accepted and refused, by the hour and reason.',
  modes: {
    diagnose: supportDiagnose,
    signal: supportSignal,
    pipeline: supportPipeline,
    source: sourceHealth,
  },
})
