/**
 * The pairs by the claim that they have in common, the largest group first: ten copies of one problem are one decision. `claims` are all of a
 * group, that one first.
 */
export const grouped = proposals =>
  [...Map.groupBy(proposals, ({ candidate }) => candidate.id)]
    .map(([id, members]) => {
      const [{ candidate: common }] = members
      const claims = new Map([common, ...members.map(({ claim }) => claim)].map(claim => [claim.id, claim]))
      return { id, common, proposals: members, claims: [...claims.values()] }
    })
    .sort((one, other) => other.proposals.length - one.proposals.length)
