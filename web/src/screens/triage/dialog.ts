import type { Decision, Signal } from './decision.ts'

/** What every dialog of Triage is given. */
export interface DialogProps {
  /** What is decided on, as it was when the dialog was opened. */
  readonly signals: readonly Signal[]
  readonly onDecide: (decision: Decision) => void
  readonly onClose: () => void
}
