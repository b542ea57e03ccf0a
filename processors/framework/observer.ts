import type { StepName } from '../../schemas/domain/vocabulary.ts'

/** What the runtime tells about its work, for metrics and the process log. Never holds any of a record's content. */
export interface Observer {
  stepRan(step: StepName, milliseconds: number): void
  outcome(step: StepName, kind: string): void
  retry(step: StepName): void
  deadLetter(step: StepName, fault: string): void
  batch(group: string, records: number): void
  note(message: string, facts: Readonly<Record<string, unknown>>): void
}
