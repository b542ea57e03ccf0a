import type { StepName } from '../../schemas/domain/vocabulary.ts'
import type { Lane } from '../../schemas/events/topics.ts'

/** What the runtime tells about its work, for metrics and the process log. Never holds any of a record's content. */
export interface Observer {
  /** A step has worked on a batch of so many records. */
  stepRan(step: StepName, lane: Lane, milliseconds: number, records: number): void
  /** What a step said about one signal, so long after the signal was received. */
  outcome(step: StepName, lane: Lane, kind: string, ageMs: number): void
  retry(step: StepName, lane: Lane): void
  deadLetter(step: StepName, lane: Lane, fault: string): void
  batch(group: string, records: number): void
  /** A group stands still for so long, because a dependency is away. */
  pause(group: string, milliseconds: number): void
  note(message: string, facts: Readonly<Record<string, unknown>>): void
}
