import { Textarea, TextInput } from '@mantine/core'
import { useState } from 'react'
import { MAX_CHARACTERS } from '../../../../schemas/domain/limits.ts'
import { DecisionDialog } from '../../parts/decision-dialog.tsx'
import { Picker } from '../../parts/picking/picker.tsx'
import { ANSWERED } from './answers.tsx'
import { useDecisionChange } from './use-decision-change.ts'

interface Props {
  /** References of the claims that it is begun from. */
  readonly claims: readonly string[]
  readonly onCreated: (reference: string) => void
  readonly onClose: () => void
}

/** Puts a new Solution on the Backlog, answering the claims chosen. */
export const CreateSolution = ({ claims: begun, onCreated, onClose }: Props) => {
  const [title, setTitle] = useState('')
  const [summary, setSummary] = useState('')
  const [claims, setClaims] = useState(begun)
  const creating = useDecisionChange('create_solution', {
    doneMessage: 'The Solution is on the Backlog.',
    onDone: ({ solution }) => onCreated(solution.reference),
  })
  return (
    <DecisionDialog
      opened
      size="lg"
      title="New Solution"
      action="Create Solution"
      statement=""
      change={creating}
      missing={title.trim() === '' ? 'a title' : null}
      onClose={onClose}
      onDecide={grounds =>
        creating.decide({
          title: title.trim(),
          ...(summary.trim() !== '' && { summary }),
          ...(claims.length > 0 && { claim_ids: [...claims] }),
          ...grounds,
        })
      }
    >
      <TextInput
        label="Title"
        data-autofocus
        required
        withAsterisk={false}
        maxLength={MAX_CHARACTERS.title}
        value={title}
        onChange={event => setTitle(event.currentTarget.value)}
      />
      <Picker type="claim" label="Claims" description={ANSWERED} value={claims} onChange={setClaims} />
      <Textarea
        label="Summary"
        description="Optional, in Markdown."
        autosize
        minRows={3}
        maxRows={10}
        maxLength={MAX_CHARACTERS.solutionSummary}
        value={summary}
        onChange={event => setSummary(event.currentTarget.value)}
      />
    </DecisionDialog>
  )
}
