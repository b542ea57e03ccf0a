import { Textarea, TextInput } from '@mantine/core'
import { useState } from 'react'
import { DecisionDialog } from '../../parts/decision-dialog.tsx'
import type { SolutionOutput } from './solution-tabs.tsx'
import { useDecisionChange } from './use-decision-change.ts'

const MOST_CHARACTERS = { title: 300, summary: 20_000 }

interface Props {
  readonly solution: SolutionOutput
  readonly onClose: () => void
}

/** Changes what a Solution is called and what it is. */
export const EditDialog = ({ solution: { reference, title: old, text, version }, onClose }: Props) => {
  const [title, setTitle] = useState(old)
  const [summary, setSummary] = useState(text)
  const editing = useDecisionChange('update_solution', { doneMessage: `${reference} is changed.`, onDone: onClose })
  const changes = {
    ...(title.trim() !== old && { title: title.trim() }),
    ...(summary !== text && { summary }),
  }
  return (
    <DecisionDialog
      opened
      size="lg"
      title={`Edit ${reference}`}
      action="Change it"
      statement={`Say better what ${reference} is.`}
      pending={editing.isPending}
      error={editing.error}
      ready={title.trim() !== '' && Object.keys(changes).length > 0}
      onClose={onClose}
      onDecide={grounds => editing.decide({ solution_id: reference, ...changes, version, ...grounds })}
    >
      <TextInput
        label="Title"
        data-autofocus
        maxLength={MOST_CHARACTERS.title}
        value={title}
        onChange={event => setTitle(event.currentTarget.value)}
      />
      <Textarea
        label="Summary"
        description="In Markdown."
        autosize
        minRows={4}
        maxRows={14}
        maxLength={MOST_CHARACTERS.summary}
        value={summary}
        onChange={event => setSummary(event.currentTarget.value)}
      />
    </DecisionDialog>
  )
}
