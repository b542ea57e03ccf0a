import { ActionIcon, Anchor, Table, Tooltip } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import { Link } from 'react-router'
import { LinkedTable } from '../../parts/linked-table.tsx'
import { addressOfReference } from '../../parts/reference.tsx'
import { StateBadge } from '../../parts/state-badge.tsx'
import type { Member } from './group.ts'
import classes from './groups.module.css'

interface Props {
  readonly members: readonly Member[]
  /** Null: the person may not. */
  readonly onRemove: ((member: Member) => void) | null
}

const score = new Intl.NumberFormat('en', { minimumFractionDigits: 2, maximumFractionDigits: 2 })

/** The Solutions of a group in board order. */
export const MemberTable = ({ members, onRemove }: Props) => (
  <LinkedTable aria-label="Solutions of the group" className={classes.table ?? ''}>
    <Table.Thead>
      <Table.Tr>
        <Table.Th>Solution</Table.Th>
        <Table.Th w={120}>State</Table.Th>
        <Table.Th ta="right" w={90} data-wide>
          Senders
        </Table.Th>
        <Table.Th ta="right" w={90} data-wide>
          Signals
        </Table.Th>
        <Table.Th ta="right" w={90} data-wide>
          Score
        </Table.Th>
        {onRemove !== null && <Table.Th w={44} aria-label="Remove" data-chrome />}
      </Table.Tr>
    </Table.Thead>
    <Table.Tbody>
      {members.map(member => {
        const { id, reference, title, state, actors = 0, signals = 0, score: scored = 0 } = member
        return (
          <Table.Tr key={id}>
            <Table.Td className={classes.name}>
              <Anchor
                component={Link}
                to={addressOfReference(reference) ?? '/app/board'}
                className={classes.solution ?? ''}
                c="inherit"
                underline="never"
              >
                <span className={classes.reference}>{reference}</span>
                <bdi>{title}</bdi>
              </Anchor>
            </Table.Td>
            <Table.Td>
              <StateBadge state={state} />
            </Table.Td>
            <Table.Td ta="right" data-wide>
              {actors.toLocaleString('en')}
            </Table.Td>
            <Table.Td ta="right" data-wide>
              {signals.toLocaleString('en')}
            </Table.Td>
            <Table.Td ta="right" data-wide>
              {score.format(scored)}
            </Table.Td>
            {onRemove !== null && (
              <Table.Td data-chrome>
                <Tooltip label={`Remove ${reference}`}>
                  <ActionIcon
                    variant="subtle"
                    color="gray"
                    size="sm"
                    aria-label={`Remove ${reference}`}
                    onClick={() => onRemove(member)}
                  >
                    <IconX size={15} />
                  </ActionIcon>
                </Tooltip>
              </Table.Td>
            )}
          </Table.Tr>
        )
      })}
    </Table.Tbody>
  </LinkedTable>
)
