import { ActionIcon, Anchor, Table, Tooltip } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import { Link } from 'react-router'
import { language } from '../../language/language.ts'
import { t } from '../../language/messages.ts'
import { LinkedTable } from '../../parts/linked-table.tsx'
import { priority } from '../../parts/numbers.ts'
import { addressOfReference } from '../../parts/reference.tsx'
import { StateBadge } from '../../parts/state-badge.tsx'
import type { Member } from './group.ts'
import classes from './groups.module.css'

interface Props {
  readonly members: readonly Member[]
  /** Null: the person may not. */
  readonly onRemove: ((member: Member) => void) | null
}

/** The Solutions of a group in board order. */
export const MemberTable = ({ members, onRemove }: Props) => (
  <LinkedTable aria-label={t('Solutions of the group')} className={classes.table ?? ''}>
    <Table.Thead>
      <Table.Tr>
        <Table.Th>{t('Solution')}</Table.Th>
        <Table.Th w={120}>{t('State')}</Table.Th>
        <Table.Th ta="end" w={90} data-wide>
          {t('Actors')}
        </Table.Th>
        <Table.Th ta="end" w={90} data-wide>
          {t('Signals')}
        </Table.Th>
        <Table.Th ta="end" w={90} data-wide>
          {t('Score')}
        </Table.Th>
        {onRemove !== null && <Table.Th w={44} aria-label={t('Remove')} data-chrome />}
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
            <Table.Td ta="end" data-wide>
              {actors.toLocaleString(language)}
            </Table.Td>
            <Table.Td ta="end" data-wide>
              {signals.toLocaleString(language)}
            </Table.Td>
            <Table.Td ta="end" data-wide>
              {priority(scored)}
            </Table.Td>
            {onRemove !== null && (
              <Table.Td data-chrome>
                <Tooltip label={t('Remove {reference}', { reference })}>
                  <ActionIcon
                    variant="subtle"
                    color="gray"
                    size="sm"
                    aria-label={t('Remove {reference}', { reference })}
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
