import { Button, Menu } from '@mantine/core'
import { IconArrowRight, IconChevronDown, IconEdit } from '@tabler/icons-react'
import { useMemo, useState } from 'react'
import { SOLUTION_STATES, type SolutionState } from '../../../../schemas/domain/vocabulary.ts'
import { useCanEdit } from '../../api/operations.ts'
import { t, word } from '../../language/messages.ts'
import { useKeys } from '../../shell/keys.ts'
import { useCommands } from '../../shell/registered.ts'
import { EditDialog, HandOffDialog, MoveDialog } from './later-dialogs.tsx'
import type { SolutionOutput } from './solution-parts.tsx'

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
