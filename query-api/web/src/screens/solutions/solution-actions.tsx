import { Button, Menu } from '@mantine/core'
import { IconArrowRight, IconChevronDown, IconEdit } from '@tabler/icons-react'
import { useMemo, useState } from 'react'
import { SOLUTION_STATES, type SolutionState } from '../../../../../schemas/domain/vocabulary.ts'
import { useMayAct } from '../../api/use-role.ts'
import { useKeys } from '../../shell/keys.ts'
import { useCommands } from '../../shell/use-commands.ts'
import { EditDialog } from './edit-dialog.tsx'
import { HandOffDialog } from './hand-off-dialog.tsx'
import { MoveDialog } from './move-dialog.tsx'
import type { SolutionOutput } from './solution-tabs.tsx'

type Asked = { readonly what: 'edit' | 'handoff' } | { readonly what: 'move'; readonly to: SolutionState }

/** What may be done with a Solution in its state. */
export const SolutionActions = ({ solution }: { readonly solution: SolutionOutput }) => {
  const [asked, setAsked] = useState<Asked | null>(null)
  const [opened, setOpened] = useState(false)
  const mayAct = useMayAct()
  const close = () => setAsked(null)
  const { reference, moves } = solution
  useCommands(
    useMemo(
      () =>
        (mayAct ? moves : []).map(move => ({
          group: reference,
          label: `Move ${reference} to ${move.to}`,
          run: () => setAsked(askedBy(move)),
        })),
      [mayAct, moves, reference],
    ),
  )
  useKeys(
    mayAct
      ? [
          { key: 'e', does: 'Edit title and summary', run: () => setAsked({ what: 'edit' }) },
          { key: 's', does: 'Move to another state', run: () => setOpened(solution.moves.length > 0) },
        ]
      : [],
  )
  if (!mayAct) return null
  return (
    <>
      <Button
        size="sm"
        variant="default"
        leftSection={<IconEdit size={16} />}
        onClick={() => setAsked({ what: 'edit' })}
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
                onClick={() => setAsked(askedBy({ to, made_by }))}
              >
                {made_by === 'handoff' ? `${to}, by handing it off` : to}
              </Menu.Item>
            ))}
          </Menu.Dropdown>
        </Menu>
      )}
      {asked?.what === 'edit' && <EditDialog solution={solution} onClose={close} />}
      {asked?.what === 'move' && <MoveDialog solution={solution} to={asked.to} onClose={close} />}
      {asked?.what === 'handoff' && <HandOffDialog solution={solution} onClose={close} />}
    </>
  )
}

/** What must be asked for a move: an address for a handoff, a Decision alone for any other. */
const askedBy = ({ to, made_by }: SolutionOutput['moves'][number]): Asked =>
  made_by === 'handoff'
    ? { what: 'handoff' }
    : { what: 'move', to: SOLUTION_STATES.find(state => state === to) ?? 'Backlog' }
