import { discardDeadLetters } from '../operations/dead-letters/discard-dead-letters.ts'
import { inspectDeadLetter } from '../operations/dead-letters/inspect-dead-letter.ts'
import { replayDeadLetters } from '../operations/dead-letters/replay-dead-letters.ts'
import { diagnoseWorkspace } from '../operations/diagnosis/diagnose-workspace.ts'
import { cancelJob } from '../operations/jobs/cancel-job.ts'
import { listJobs } from '../operations/jobs/list-jobs.ts'
import { startJob } from '../operations/jobs/start-job.ts'
import { inspectPipeline } from '../operations/pipeline/inspect-pipeline.ts'
import { readLedger } from '../operations/pipeline/read-ledger.ts'
import { traceSignal } from '../operations/signals/trace-signal.ts'
import { sourceHealth } from '../operations/sources/source-health.ts'
import { defineTool } from './define-tool.ts'

export const serviceSupport = defineTool({
  name: 'service_support',
  title: 'Find out why something does not work',
  description:
    'When the workspace does not behave as expected. diagnose: checks all of it and answers findings with cause, evidence and the next call. signal: one, step by step through the pipeline. pipeline: what each step did in the last hour, and the dead letters by step and reason. dead_letter: one of them. replay, discard: send dead letters again, or give them up, once a human decided so; replay with dry_run first. jobs: long work with its progress. start_job, cancel_job: embed, scrub, anchor or judge everything again, or end such work. source: its last requests, what each refusal means, the next step. ledger: whether every signal received is accounted for once; for owners.',
  modes: {
    diagnose: diagnoseWorkspace,
    signal: traceSignal,
    pipeline: inspectPipeline,
    dead_letter: inspectDeadLetter,
    replay: replayDeadLetters,
    discard: discardDeadLetters,
    jobs: listJobs,
    start_job: startJob,
    cancel_job: cancelJob,
    source: sourceHealth,
    ledger: readLedger,
  },
})
