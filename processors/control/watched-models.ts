import type { Embedder, Judge } from '../../infra/models/port.ts'
import { createReachability } from '../../infra/runtime/health.ts'
import type { ProcessorReport } from '../../model/pipeline/processor-report.ts'

interface Models {
  readonly embedder: Embedder
  /** Null: none is configured. */
  readonly judge: Judge | null
}

export interface WatchedModels extends Models {
  /** Which models there are, and whether the last call of each was answered. */
  read(): Pick<ProcessorReport, 'embedder' | 'judge'>
}

/** The same models, of which it is known whether they answer. */
export const watchModels = ({ embedder, judge }: Models, now: () => number): WatchedModels => {
  const embeds = createReachability(now)
  const judges = createReachability(now)
  return {
    embedder: { ...embedder, embed: texts => embeds.through(() => embedder.embed(texts)) },
    judge: judge && { ...judge, judge: (...texts) => judges.through(() => judge.judge(...texts)) },
    read: () => ({
      embedder: { model: embedder.model, away: embeds.away() },
      judge: judge && { model: judge.model, away: judges.away() },
    }),
  }
}
