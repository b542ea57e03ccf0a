import { t, word } from '../language/messages.ts'

interface Explained {
  /** How the word stands in headings; the first one is what the panel calls it. */
  readonly names: readonly string[]
  readonly about: string
}

/** Every word that a newcomer meets in a heading or as a state, in the order in which feedback becomes a change. */
export const WORDS: readonly Explained[] = [
  {
    names: [t('Signals'), t('Signal')],
    about: t(
      'One thing that somebody said or a program reported. Where signals are counted for a claim or a Solution, repeats count too, so the number can be larger than the list.',
    ),
  },
  { names: [t('Source'), t('Sources')], about: t('An address through which signals come in, and a secret for it.') },
  {
    names: [t('Actors'), t('Actor')],
    about: t('A person or a program that said something. The same address is always the same actor.'),
  },
  {
    names: [t('Repeats'), t('Repeat of')],
    about: t('Signals that say again what an earlier signal said. They are counted with that one.'),
  },
  {
    names: [t('Classification')],
    about: t('What a signal is: a problem, an idea, a question, or not known.'),
  },
  {
    names: [t('Map node'), t('Node')],
    about: t('A part of your product on the map. Each signal is at the part that is nearest to its meaning.'),
  },
  {
    names: [t('Origin')],
    about: t('Where a signal comes from: customers, your own team, or a program that watches your product.'),
  },
  {
    names: [t('Confidence')],
    about: t('How sure people were of an estimate. It is one of the four figures of RICE.'),
  },
  { names: [t('Triage')], about: t('The list of signals that nobody has decided on yet.') },
  { names: [word('accepted'), t('Accepted')], about: t('A person looked at the signal, and it counts.') },
  { names: [word('dismissed'), t('Dismissed')], about: t('A person decided that it does not count.') },
  { names: [t('Snoozed'), t('Was snoozed')], about: t('Out of the list until a time, or until more is said.') },
  {
    names: [t('Themes'), t('Theme')],
    about: t('Signals that are probably about one thing. It is a proposal; a person decides.'),
  },
  {
    names: [t('Claims'), t('Claim'), t('The claim')],
    about: t('A problem or an idea that signals say together.'),
  },
  { names: [word('problem')], about: t('Something that does not work or is missing, as signals say it.') },
  {
    names: [t('Opportunity'), word('opportunity')],
    about: t('A claim that is an idea: what people wish for.'),
  },
  { names: [word('emerging')], about: t('A new claim that no person has looked at yet.') },
  { names: [word('established')], about: t('A claim that people have confirmed.') },
  { names: [word('addressed')], about: t('A claim that is resolved: what it says is answered.') },
  { names: [t('Evidence')], about: t('The signals that belong to a claim, each with who attached it and why.') },
  {
    names: [t('Strongest evidence')],
    about: t(
      'The evidence that adds most to the priority. The number counts all evidence, the list shows the strongest.',
    ),
  },
  {
    names: [t('Evidence priority')],
    about: t('How much the evidence weighs: who said it, how often, and how long ago. It falls with time.'),
  },
  {
    names: [t('Who merges'), t('Judge')],
    about: t(
      'The judge is a language model that says if two claims have the same root problem. An operator names one in the setting JUDGE_URL; without it, people decide.',
    ),
  },
  {
    names: [t('Proposed merges')],
    about: t('Pairs of claims that may be the same. A person decides, or a judge where there is one.'),
  },
  { names: [t('Solutions'), t('Solution')], about: t('Something to build that answers claims.') },
  {
    names: [t('Boost')],
    about: t('A factor from 0.1 to 10 by which a person changes the evidence priority of a Solution.'),
  },
  { names: [t('Score')], about: t('Evidence priority × boost. It orders the board.') },
  {
    names: [t('Manual rank'), t('Rank')],
    about: t('The place on the board. A rank given by hand comes before the order by score.'),
  },
  {
    names: [t('Handoffs')],
    about: t('Designs and pull requests for a Solution. A handoff moves it to In Review.'),
  },
  { names: [t('Decisions'), t('Decision')], about: t('What a person decided, and why. It can be reversed.') },
  { names: [t('Outcome'), t('Outcomes')], about: t('What came of a Solution that is Done.') },
  { names: [t('Living Document')], about: t('The text of a Solution, with all its versions.') },
  { names: [word('Backlog')], about: t('The first state of a Solution: nobody has planned it yet.') },
  { names: [word('Planned')], about: t('A person decided to build it. Nobody has begun yet.') },
  { names: [word('In Progress')], about: t('Somebody is building it.') },
  { names: [word('In Review')], about: t('A design or a pull request of the Solution is looked at.') },
  { names: [word('Done')], about: t('It is built. Its Outcome can be recorded.') },
  { names: [word('Dropped')], about: t('A person decided not to build it.') },
  {
    names: [t('Dead letters'), t('Dead letter')],
    about: t('Signals that failed at every attempt. They wait with the reason, and can be sent through again.'),
  },
]

const known = new Map(WORDS.flatMap(({ names, about }) => names.map(name => [name.toLowerCase(), about] as const)))

/** What the word of a heading means; a number behind it is no part of the word. */
export const explanationOf = (heading: string): string | undefined =>
  heading.length > MAX_CHARACTERS
    ? undefined
    : known.get(
        heading
          .replace(/[\d.,\s]{0,60}$/, '')
          .trim()
          .toLowerCase(),
      )

/** No heading that is a word of the app is longer. */
const MAX_CHARACTERS = 60
