import { Button, Menu, Text, Textarea, TextInput } from '@mantine/core'
import { IconArrowRight, IconChevronDown, IconEdit } from '@tabler/icons-react'
import { useMemo, useState } from 'react'
import { MAX_CHARACTERS } from '../../../../schemas/domain/limits.ts'
import { SOLUTION_STATES, type SolutionState } from '../../../../schemas/domain/vocabulary.ts'
import { useCanEdit } from '../../api/operations.ts'
import { t, word } from '../../language/messages.ts'
import { DecisionDialog } from '../../parts/decision-dialog.tsx'
import { useKeys } from '../../shell/keys.ts'
import { useCommands } from '../../shell/registered.ts'
import { HandOffDialog } from './solution-dialogs.tsx'
import type { SolutionOutput } from './solution-parts.tsx'
import { useDecisionChange } from './use-decision-change.ts'

type OpenDialog = { readonly what: 'edit' | 'handoff' } | { readonly what: 'move'; readonly to: SolutionState }

/** What may be done with a Solution in its state. */
export const SolutionActions = ({ solution }: { readonly solution: SolutionOutput }) => {
  const [dialog, setDialog] = useState<OpenDialog | null>(null)
  const [opened, setOpened] = useState(false)
  const canEdit = useCanEdit()
  const close = () => setDialog(null)
  const { reference, transitions } = solution
  useCommands(
    useMemo(
      () =>
        (canEdit ? transitions : []).map(move => ({
          group: reference,
          label: t('Move {reference} to {to}', { reference, to: word(move.to) }),
          run: () => setDialog(askedBy(move)),
        })),
      [canEdit, transitions, reference],
    ),
  )
  useKeys(
    canEdit
      ? [
          { key: 'e', does: t('Edit title and summary'), run: () => setDialog({ what: 'edit' }) },
          { key: 's', does: t('Move to another state'), run: () => setOpened(solution.transitions.length > 0) },
        ]
      : [],
  )
  if (!canEdit) return null
  return (
    <>
      <Button
        size="sm"
        variant="default"
        leftSection={<IconEdit size={16} />}
        onClick={() => setDialog({ what: 'edit' })}
      >
        {t('Edit')}
      </Button>
      {solution.transitions.length > 0 && (
        <Menu opened={opened} onChange={setOpened} position="bottom-end" width={260}>
          <Menu.Target>
            <Button size="sm" rightSection={<IconChevronDown size={16} />}>
              {t('Move to')}
            </Button>
          </Menu.Target>
          <Menu.Dropdown>
            {solution.transitions.map(({ to, made_by }) => (
              <Menu.Item
                key={to}
                leftSection={<IconArrowRight size={15} />}
                onClick={() => setDialog(askedBy({ to, made_by }))}
              >
                {made_by === 'handoff' ? t('{to}, by handing it off', { to: word(to) }) : word(to)}
              </Menu.Item>
            ))}
          </Menu.Dropdown>
        </Menu>
      )}
      {dialog?.what === 'edit' && <EditDialog solution={solution} onClose={close} />}
      {dialog?.what === 'move' && <MoveDialog solution={solution} to={dialog.to} onClose={close} />}
      {dialog?.what === 'handoff' && <HandOffDialog solution={solution} onClose={close} />}
    </>
  )
}

/** What must be asked for a move: an address for a handoff, a Decision alone for any other. */
const askedBy = ({ to, made_by }: SolutionOutput['transitions'][number]): OpenDialog =>
  made_by === 'handoff'
    ? { what: 'handoff' }
    : { what: 'move', to: SOLUTION_STATES.find(state => state === to) ?? 'Backlog' }

const TELLS: Readonly<Partial<Record<SolutionState, string>>> = {
  Done: t('Done is final, and only a person decides it. What came of it is then recorded as its Outcome.'),
  Dropped: t('Say why: whoever asks for it again will read it. It may come back to the Backlog.'),
}

interface MoveDialogProps {
  readonly solution: { readonly reference: string; readonly state: SolutionState; readonly version: number }
  readonly to: SolutionState
  readonly onClose: () => void
}

/** Asks for the Decision that moves a Solution to another state. */
export const MoveDialog = ({ solution: { reference, state, version }, to, onClose }: MoveDialogProps) => {
  const moving = useDecisionChange('update_solution', {
    doneMessage: t('{reference} is {to}.', { reference, to: word(to) }),
    onDone: onClose,
  })
  const tells = TELLS[to]
  return (
    <DecisionDialog
      opened
      title={t('Move {reference} from {state} to {to}', { reference, state: word(state), to: word(to) })}
      action={t('Move to {to}', { to: word(to) })}
      // What is given up needs its reason, which only the person knows.
      statement={to === 'Dropped' ? '' : t('Move {reference} to {to}.', { reference, to: word(to) })}
      change={moving}
      onClose={onClose}
      onDecide={grounds => moving.decide({ solution_id: reference, state: to, version, ...grounds })}
    >
      {tells !== undefined && <Text size="sm">{tells}</Text>}
    </DecisionDialog>
  )
}

interface EditDialogProps {
  readonly solution: SolutionOutput
  readonly onClose: () => void
}

/** Changes what a Solution is called and what it is. */
const EditDialog = ({ solution: { reference, title: old, text, version }, onClose }: EditDialogProps) => {
  const [title, setTitle] = useState(old)
  const [summary, setSummary] = useState(text)
  const editing = useDecisionChange('update_solution', {
    doneMessage: t('{reference} is changed.', { reference }),
    onDone: onClose,
  })
  const changes = {
    ...(title.trim() !== old && { title: title.trim() }),
    ...(summary !== text && { summary }),
  }
  return (
    <DecisionDialog
      opened
      size="lg"
      title={t('Edit {reference}', { reference })}
      action={t('Change it')}
      statement={t('Say better what {reference} is.', { reference })}
      change={editing}
      missing={
        title.trim() === ''
          ? t('a title')
          : Object.keys(changes).length === 0
            ? t('a change of the title or the summary')
            : null
      }
      onClose={onClose}
      onDecide={grounds => editing.decide({ solution_id: reference, ...changes, version, ...grounds })}
    >
      <TextInput
        label={t('Title')}
        data-autofocus
        maxLength={MAX_CHARACTERS.title}
        value={title}
        onChange={event => setTitle(event.currentTarget.value)}
      />
      <Textarea
        label={t('Summary')}
        description={t('In Markdown.')}
        autosize
        minRows={4}
        maxRows={14}
        maxLength={MAX_CHARACTERS.solutionSummary}
        value={summary}
        onChange={event => setSummary(event.currentTarget.value)}
      />
    </DecisionDialog>
  )
}
