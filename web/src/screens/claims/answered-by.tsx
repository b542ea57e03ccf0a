import { Button, Group, Text, Title } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { t } from '../../language/messages.ts'
import { StateBadge } from '../../parts/badges.tsx'
import { SearchPicker } from '../../parts/evidence/choose.tsx'
import { Reference } from '../../parts/reference.tsx'
import { begin } from '../../shell/begun.ts'
import { useKeys } from '../../shell/keys.ts'
import classes from './evidence-list.module.css'
import type { Claim, ClaimActs } from './use-claim.ts'

interface Props {
  readonly claim: Claim
  readonly canEdit: boolean
  readonly acts: ClaimActs
}

/** The Solutions that answer a claim, and linking another one. */
export const AnsweringSolutions = ({ claim, canEdit, acts }: Props) => {
  const [choosing, { open, close }] = useDisclosure()
  const create = () => begin({ what: 'solution', claims: [claim] })
  useKeys(
    canEdit
      ? [
          { key: 's', does: t('New Solution for it'), run: create },
          { key: 'l', does: t('Link a Solution'), run: open },
        ]
      : [],
  )
  return (
    <section aria-labelledby="solutions">
      <Group justify="space-between" mb="sm">
        <Title order={2} id="solutions">
          {t('Solutions')}
        </Title>
        {canEdit && (
          <Group gap="xs">
            <Button size="compact-xs" disabled={acts.busy} onClick={create}>
              {t('New Solution')}
            </Button>
            <Button size="compact-xs" variant="default" disabled={acts.busy} onClick={open}>
              {t('Link a Solution')}
            </Button>
          </Group>
        )}
      </Group>
      {claim.answering_solutions.length === 0 && (
        <Text size="sm" c="dimmed">
          {t('No Solution answers it yet.')}
        </Text>
      )}
      <ul className={classes.list}>
        {claim.answering_solutions.map(({ id, reference, title, state }) => (
          <li key={id} className={classes.piece}>
            <Group gap="sm" wrap="nowrap">
              <Reference of={reference} />
              <Text component="bdi" size="sm" truncate flex={1} miw={0}>
                {title}
              </Text>
              <StateBadge state={state} />
              {canEdit && (
                <Button
                  size="compact-xs"
                  variant="subtle"
                  color="gray"
                  disabled={acts.busy}
                  aria-label={t('Unlink {reference}', { reference })}
                  onClick={() => acts.unlink(reference)}
                >
                  {t('Unlink')}
                </Button>
              )}
            </Group>
          </li>
        ))}
      </ul>
      <SearchPicker
        type="solution"
        title={t('Which Solution answers {reference}?', { reference: claim.reference })}
        about={t('The evidence of the claim counts for it from then on. You can undo it.')}
        start={claim.title}
        except={claim.answering_solutions.map(({ reference }) => reference)}
        opened={choosing}
        onClose={close}
        onChoose={solution => acts.link(solution)}
      />
    </section>
  )
}
