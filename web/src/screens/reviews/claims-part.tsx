import { Table, Text } from '@mantine/core'
import { language } from '../../language/language.ts'
import { plural, t } from '../../language/messages.ts'
import { StateBadge } from '../../parts/badges.tsx'
import { addressOfReference, Reference } from '../../parts/reference.tsx'
import { ComparedBars, changesOf, EvidenceLink, type Figures, Part, type Times } from './review-parts.tsx'
import classes from './reviews.module.css'

interface Props {
  readonly claims: Figures['claims']
  readonly times: Times
}

type Claim = Figures['claims']['rising'][number]

/** Which claims more people spoke of than before, and which fewer did. */
export const ClaimsPart = ({ claims: { rising, falling, moved }, times }: Props) => (
  <>
    <Part
      title={t('Rising claims')}
      label={
        moved > 0 && (
          <EvidenceLink to={changesOf('claims_moved', times)}>
            {plural(moved, '1 claim changed its state', '{number} changes of state')}
          </EvidenceLink>
        )
      }
    >
      <ClaimTable claims={rising} label={t('Rising claims')} />
    </Part>
    <Part title={t('Falling claims')}>
      <ClaimTable claims={falling} label={t('Falling claims')} />
    </Part>
  </>
)

const ClaimTable = ({ claims, label }: { readonly claims: readonly Claim[]; readonly label: string }) => {
  if (claims.length === 0) {
    return (
      <Text size="sm" c="dimmed">
        {t('None.')}
      </Text>
    )
  }
  const most = Math.max(...claims.flatMap(claim => [claim.signals, claim.previous_signals]))
  return (
    <Table className={classes.table ?? ''} aria-label={label}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{t('Claim')}</Table.Th>
          <Table.Th w={116} data-wide>
            {t('State')}
          </Table.Th>
          <Table.Th w={110} aria-hidden data-wide />
          <Table.Th ta="end" w={66}>
            {t('Signals')}
          </Table.Th>
          <Table.Th ta="end" w={60}>
            {t('Before')}
          </Table.Th>
          <Table.Th ta="end" w={66} data-wide>
            {t('Actors')}
          </Table.Th>
          <Table.Th ta="end" w={60} data-wide>
            {t('Before')}
          </Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {claims.map(claim => {
          const evidence = addressOfReference(claim.reference) ?? '/app/claims'
          return (
            <Table.Tr key={claim.reference}>
              <Table.Td>
                <div className={classes.named}>
                  <Reference of={claim.reference} />
                  <bdi>{claim.title}</bdi>
                </div>
              </Table.Td>
              <Table.Td data-wide>
                <StateBadge state={claim.state} />
              </Table.Td>
              <Table.Td aria-hidden data-wide>
                <ComparedBars value={claim.signals} before={claim.previous_signals} most={most} />
              </Table.Td>
              <Table.Td ta="end" fw={600}>
                <EvidenceLink to={evidence}>{claim.signals.toLocaleString(language)}</EvidenceLink>
              </Table.Td>
              <Table.Td ta="end" c="dimmed">
                {claim.previous_signals.toLocaleString(language)}
              </Table.Td>
              <Table.Td ta="end" fw={600} data-wide>
                <EvidenceLink to={evidence}>{claim.actors.toLocaleString(language)}</EvidenceLink>
              </Table.Td>
              <Table.Td ta="end" c="dimmed" data-wide>
                {claim.previous_actors.toLocaleString(language)}
              </Table.Td>
            </Table.Tr>
          )
        })}
      </Table.Tbody>
    </Table>
  )
}
