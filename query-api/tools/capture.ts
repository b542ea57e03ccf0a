import { attachEvidence } from '../operations/claims/attach-evidence.ts'
import { writeComment } from '../operations/comments/write-comment.ts'
import { saveKnowledge } from '../operations/knowledge/save-knowledge.ts'
import { captureSignal } from '../operations/signals/capture-signal.ts'
import { defineTool } from './define-tool.ts'

export const serviceCapture = defineTool({
  name: 'service_capture',
  title: 'Capture evidence',
  description:
    'Adds evidence that an agent was told or found. signal: one piece of it, through the same pipeline as every other source: personal data is removed, repeats are counted at their original, and it lands in Triage within seconds. Keep the words of whoever said it; one call for each thing said. knowledge: a note on a Solution, claim or node for whoever works on it next. evidence: attaches a Signal to a claim. comment: tells the people who work on it. Send the header X-Idempotency-Key so that a repeated call adds nothing.',
  modes: {
    signal: captureSignal,
    knowledge: saveKnowledge,
    evidence: attachEvidence,
    comment: writeComment,
  },
})
