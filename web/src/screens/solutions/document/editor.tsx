import { Button, Group, Text, Textarea } from '@mantine/core'
import { useState } from 'react'
import { Confirm } from '../../../parts/confirm.tsx'
import { DecisionDialog } from '../../../parts/decision-dialog.tsx'
import { Markdown } from '../markdown/markdown.tsx'
import { useDecisionChange } from '../use-decision-change.ts'
import { Conflict } from './conflict.tsx'
import classes from './document.module.css'
import type { Draft } from './use-draft.ts'

const MOST_CHARACTERS = 100_000
/** The marks that bringing two edits together leaves around what both changed. */
const HAS_MARKS = /^(<{7} yours|>{7} theirs)$/m

interface Props {
  readonly reference: string
  readonly draft: Draft
  /** Null: it is saved, or thrown away. */
  readonly onChange: (draft: Draft | null) => void
}

/** Edits a Living Document as text, with what it will look like beside it. */
export const Editor = ({ reference, draft, onChange }: Props) => {
  const [dialog, setDialog] = useState<'save' | 'discard' | null>(null)
  const saving = useDecisionChange('edit_living_document', {
    doneMessage: `Version ${draft.version + 1} is saved.`,
    reversible: false,
    onDone: () => onChange(null),
  })
  const isStale = saving.error?.code === 'conflict'
  const save = () => setDialog('save')
  const brought = (text: string, version: number) => {
    saving.reset()
    onChange({ text, version })
  }
  return (
    <>
      <Group justify="space-between" mb="md" gap="sm">
        <Text size="sm" c="dimmed">
          {draft.version === 0 ? 'The first version.' : `On version ${draft.version}.`} This tab keeps what you write
          until you save it.
        </Text>
        <Group gap="sm">
          <Button size="xs" variant="default" onClick={() => setDialog('discard')}>
            Discard
          </Button>
          <Button size="xs" onClick={save} disabled={isStale}>
            Save version {draft.version + 1}
          </Button>
        </Group>
      </Group>
      {isStale && <Conflict reference={reference} draft={draft} onBrought={brought} />}
      <div className={classes.sides}>
        <Textarea
          className={classes.text ?? ''}
          aria-label="Living Document, Markdown"
          autosize
          minRows={16}
          maxLength={MOST_CHARACTERS}
          value={draft.text}
          onChange={event => onChange({ ...draft, text: event.currentTarget.value })}
          onKeyDown={event => {
            if (event.key === 's' && (event.ctrlKey || event.metaKey)) {
              event.preventDefault()
              save()
            }
          }}
        />
        <section className={classes.preview} aria-label="Preview">
          {draft.text.trim() === '' ? (
            <Text size="sm" c="dimmed">
              What you write shows here. Headings begin with #, lists with -, and Ctrl or ⌘ with S saves.
            </Text>
          ) : (
            <Markdown text={draft.text} />
          )}
        </section>
      </div>
      <DecisionDialog
        opened={dialog === 'save' && !isStale}
        title={`Save version ${draft.version + 1}`}
        action="Save"
        statement={`${draft.version === 0 ? 'Begin' : 'Edit'} the Living Document of ${reference}.`}
        pending={saving.isPending}
        error={saving.error}
        onClose={() => setDialog(null)}
        onDecide={grounds =>
          saving.decide({
            solution_id: reference,
            markdown: draft.text,
            ...(draft.version > 0 && { version: draft.version }),
            ...grounds,
          })
        }
      >
        {HAS_MARKS.test(draft.text) && (
          <Text size="sm" c="var(--mantine-color-error)">
            The text still has marks around lines that both of you changed. They would be saved as they are.
          </Text>
        )}
      </DecisionDialog>
      <Confirm
        opened={dialog === 'discard'}
        title="Discard this edit?"
        action="Discard"
        onConfirm={() => onChange(null)}
        onClose={() => setDialog(null)}
      >
        What you wrote since version {draft.version} is lost. The versions stay as they are.
      </Confirm>
    </>
  )
}
