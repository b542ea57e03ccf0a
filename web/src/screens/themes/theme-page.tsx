import { Anchor, Button, Group, SimpleGrid, Stack, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { MAX_CHARACTERS, MAX_LIMIT } from '../../../../schemas/domain/limits.ts'
import { useCanEdit, usePages } from '../../api/operations.ts'
import { counted, language, t } from '../../language/messages.ts'
import { rich } from '../../language/rich.ts'
import { Arriving } from '../../parts/arriving.tsx'
import { StateBadge } from '../../parts/badges.tsx'
import { Reference, When } from '../../parts/inline.tsx'
import { Figure, MoreButton } from '../../parts/lists.tsx'
import { Page, PageHeader } from '../../parts/page.tsx'
import { Quote } from '../../parts/quote.tsx'
import { ErrorState, LoadingState } from '../../parts/states.tsx'
import { TitleField, useTitleField } from '../../parts/title-field.tsx'
import { ThemeActions } from './theme-actions.tsx'
import { ThemeCandidates } from './theme-candidates.tsx'
import { SpokenIn, type Theme, Trend } from './theme-facts.tsx'
import { ThemeMembers } from './theme-members.tsx'
import classes from './themes.module.css'
import { useFoundAnew } from './use-found-anew.ts'
import { useThemeActs } from './use-theme-acts.ts'

interface Props {
  /** A reference, of a theme that is found no more too: it shows the one that most of its signals are in. */
  readonly id: string
}

/** One theme: what its signals say, what is made of it already, and the signals, the surest first. */
export const ThemePage = ({ id }: Props) => {
  const query = usePages('lookup_theme', { id, reader_language: language, limit: MAX_LIMIT })
  useFoundAnew()
  const { first: theme, pages, error } = query
  const acts = useThemeActs(id)
  const canEdit = useCanEdit()
  const renaming = useTitleField(id)
  if (theme === undefined) {
    return (
      <Page>
        <PageHeader title={id} />
        {error === null ? <LoadingState rows={8} height={56} /> : <ErrorState error={error} retry={query.refetch} />}
      </Page>
    )
  }
  return (
    <Page>
      <Group gap="md" mb="xs">
        <Text size="sm" ff="monospace">
          {theme.reference}
        </Text>
        {theme.formerly.length > 0 && (
          <Text size="xs" c="dimmed">
            {t('also {merged_references}', { merged_references: theme.formerly.join(', ') })}
          </Text>
        )}
        {theme.parts.map(part => (
          <Group key={part} gap={4}>
            <Text size="xs" c="dimmed">
              {t('the same as {reference}', { reference: part })}
            </Text>
            {canEdit && (
              <Button size="compact-xs" variant="default" onClick={() => void acts.takeApart(part)}>
                {t('Take {reference} apart', { reference: part })}
              </Button>
            )}
          </Group>
        ))}
        {theme.standing !== 'listed' && (
          <Text size="xs" c="dimmed">
            {STANDINGS[theme.standing]}
          </Text>
        )}
        {theme.split_from !== null && (
          <Text size="xs" c="dimmed" component="div">
            {rich('split from {reference}', { reference: <Reference of={theme.split_from} /> })}
          </Text>
        )}
      </Group>
      <PageHeader
        title={theme.name}
        tab={`${theme.reference} ${theme.name}`}
        about={t(
          'These signals are probably about one thing, but nobody has decided that. A theme merges nothing: only a person makes its signals evidence of one claim.',
        )}
        {...(renaming.isOpen && {
          edited: (
            <TitleField
              of={id}
              title={theme.name}
              most={MAX_CHARACTERS.name}
              onSave={acts.rename}
              onClose={renaming.close}
            />
          ),
        })}
      >
        {canEdit && <ThemeActions theme={theme} acts={acts} onRename={renaming.open} />}
      </PageHeader>
      <Arriving />
      <Group component="dl" gap="xl" m={0} mb="xs">
        <Figure label={t('Signals')} value={theme.signals} />
        <Figure label={t('Last 30 days')} value={<Trend theme={theme} />} />
        <Figure label={t('Claims')} value={theme.claims} />
        <Figure label={t('Solutions')} value={theme.solutions} />
        <Figure label={t('Last found anew')} value={<When at={theme.updated_at} />} />
      </Group>
      <SpokenIn theme={theme} />
      {theme.has_ended && <Ended theme={theme} />}
      <SimpleGrid cols={{ base: 1, md: 2 }} spacing="xl" verticalSpacing="lg" mt="lg">
        <Quotes quotes={theme.quotes} />
        <MadeOfIt theme={theme} />
      </SimpleGrid>
      <section aria-labelledby="signals">
        <Title order={2} id="signals" mt="xl" mb="sm">
          {rich('Signals {count}', {
            count: (
              <Text span inherit c="dimmed" fw={400}>
                {theme.count.toLocaleString(language)}
              </Text>
            ),
          })}
        </Title>
        {canEdit && (
          <Anchor component={Link} to={`/app/triage?theme=${theme.reference}`} size="sm" underline="always">
            {t('Those that wait in Triage')}
          </Anchor>
        )}
        <ThemeMembers key={id} name={theme.name} pages={pages.map(({ items }) => items)} acts={acts}>
          <MoreButton query={query} />
          <ThemeCandidates
            key={theme.reference}
            id={theme.reference}
            members={pages.flatMap(({ items }) => items)}
            acts={acts}
          />
        </ThemeMembers>
      </section>
    </Page>
  )
}

/** A theme that is found no more says where what it had in it is now. */
const Ended = ({ theme: { successors } }: { readonly theme: Theme }) => (
  <Text size="sm" mt="sm" component="div" role="note">
    {successors.length === 0
      ? t('This theme is no longer found. Its signals are in no theme now.')
      : t('This theme is no longer found. Its signals are in:')}
    <ul className="plain">
      {successors.map(({ reference, name, signals }) => (
        <Line key={reference} reference={reference} title={name}>
          <Text size="xs" c="dimmed">
            {counted(signals, 'signal')}
          </Text>
        </Line>
      ))}
    </ul>
  </Text>
)

const STANDINGS = { pinned: t('pinned'), hidden: t('hidden'), not_one_thing: t('not one thing') } as const

/** Sentences that differ, the surest first. */
const Quotes = ({ quotes }: Pick<Theme, 'quotes'>) => (
  <section aria-labelledby="quotes">
    <Title order={2} id="quotes" mb="sm">
      {t('In their words')}
    </Title>
    {quotes.length === 0 && <Nothing>{t('No signal is in it now.')}</Nothing>}
    <ul className="plain">
      {quotes.map(({ signal_id, reference, text }) => (
        <li key={signal_id} className={classes.piece}>
          <Reference of={reference} />
          <Quote text={text} most={300} />
        </li>
      ))}
    </ul>
  </section>
)

/** The claims that most of its signals are evidence of, and the Solutions that answer claims of it. */
const MadeOfIt = ({ theme: { claims, top_claims, solutions, top_solutions } }: { readonly theme: Theme }) => (
  <Stack gap="lg" miw={0}>
    <section aria-labelledby="claims">
      <Title order={2} id="claims" mb="sm">
        {t('Claims')}
      </Title>
      {claims === 0 && <Nothing>{t('No signal of it is evidence of a claim yet.')}</Nothing>}
      <ul className="plain">
        {top_claims.map(({ id, reference, title }) => (
          <Line key={id} reference={reference} title={title} />
        ))}
      </ul>
      <More hidden={claims - top_claims.length} />
    </section>
    <section aria-labelledby="solutions">
      <Title order={2} id="solutions" mb="sm">
        {t('Solutions')}
      </Title>
      {solutions === 0 && <Nothing>{t('No Solution answers a claim of it yet.')}</Nothing>}
      <ul className="plain">
        {top_solutions.map(({ id, reference, title, state }) => (
          <Line key={id} reference={reference} title={title}>
            <StateBadge state={state} />
          </Line>
        ))}
      </ul>
      <More hidden={solutions - top_solutions.length} />
    </section>
  </Stack>
)

const Nothing = ({ children }: { readonly children: string }) => (
  <Text size="sm" c="dimmed">
    {children}
  </Text>
)

interface LineProps {
  readonly reference: string
  readonly title: string
  readonly children?: ReactNode
}

const Line = ({ reference, title, children }: LineProps) => (
  <li className={classes.piece}>
    <Group gap="sm" wrap="nowrap">
      <Reference of={reference} />
      <Text component="bdi" size="sm" flex={1} miw={0}>
        {title}
      </Text>
      {children}
    </Group>
  </li>
)

const More = ({ hidden }: { readonly hidden: number }) =>
  hidden > 0 && <Nothing>{t('and {number} more', { number: hidden.toLocaleString(language) })}</Nothing>
