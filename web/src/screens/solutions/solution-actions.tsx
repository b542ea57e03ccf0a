import { Button, Menu } from '@mantine/core'
import { IconArrowRight, IconChevronDown, IconEdit } from '@tabler/icons-react'
import { useMemo, useState } from 'react'
import { SOLUTION_STATES, type SolutionState } from '../../../../schemas/domain/vocabulary.ts'
import { useCanEdit } from '../../api/use-role.ts'
import { useKeys } from '../../shell/keys.ts'
import { useCommands } from '../../shell/use-commands.ts'
import { EditDialog } from './edit-dialog.tsx'
import { HandOffDialog } from './hand-off-dialog.tsx'
import { MoveDialog } from './move-dialog.tsx'
import type { SolutionOutput } from './solution-tabs.tsx'

type OpenDialog = { readonly what: 'edit' | 'handoff' } | { readonly what: 'move'; readonly to: SolutionState }

/** What may be done with a Solution in its state. */
export const SolutionActions = ({ solution }: { readonly solution: SolutionOutput }) => {
  const [dialog, setDialog] = useState<OpenDialog | null>(null)
  const [opened, setOpened] = useState(false)
  const canEdit = useCanEdit()
  const close = () => setDialog(null)
  const { reference, moves } = solution
  useCommands(
    useMemo(
      () =>
        (canEdit ? moves : []).map(move => ({
          group: reference,
          label: `Move ${reference} to ${move.to}`,
          run: () => setDialog(askedBy(move)),
        })),
      [canEdit, moves, reference],
    ),
  )
  useKeys(
    canEdit
      ? [
          { key: 'e', does: 'Edit title and summary', run: () => setDialog({ what: 'edit' }) },
          { key: 's', does: 'Move to another state', run: () => setOpened(solution.moves.length > 0) },
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
        Edit
      </Button>
      {solution.moves.length > 0 && (
        <Menu opened={opened} onChange={setOpened} position="bottom-end" width={260}>
          <Menu.Target>
            <Button size="sm" rightSection={<IconChevronDown size={16} />}>
              Move to
            </Button>
          </Menu.Target>
          <Menu.Dropdown>
            {solution.moves.map(({ to, made_by }) => (
              <Menu.Item
                key={to}
                leftSection={<IconArrowRight size={15} />}
                onClick={() => setDialog(askedBy({ to, made_by }))}
              >
                {made_by === 'handoff' ? `${to}, by handing it off` : to}
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
const askedBy = ({ to, made_by }: SolutionOutput['moves'][number]): OpenDialog =>
  made_by === 'handoff'
    ? { what: 'handoff' }
    : { what: 'move', to: SOLUTION_STATES.find(state => state === to) ?? 'Backlog' }
