package policy_test
import ("testing";"fmt";"time";"math/rand/v2";"github.com/purexp/purexp/pkg/policytest";"github.com/purexp/purexp/pkg/explore";"github.com/purexp/purexp/pkg/policy")
func TestZZ(t *testing.T){
 for _,c:=range []struct{name string;c policytest.Case}{{"benchmark,d=20",benchmarkCase(20,.1)},{"sphere,K=1000,d=9",sphereCase(1000,9)},{"sphere,K=300,d=6",sphereCase(300,6)},{"many,n=1000",manyCase(1000)},{"many,n=10000",manyCase(10000)}} {
  for _,p:=range []explore.Policy{&policy.RAGE{Delta:.05},&policy.BettingElimination{Delta:.05}} {
   rnd:=rand.New(rand.NewPCG(1,2)); pulls,rounds:=0,0
   s:=time.Now(); n:=0
   for n<3 { r,err:=explore.Run(p,c.c.Problem,noisy{c.c,1,rnd},nil); if err!=nil {t.Fatal(err)}; pulls+=r.Pulls; rounds+=r.Rounds; n++ }
   fmt.Printf("%s %T: %d pulls %d rounds %v\n",c.name,p,pulls/n,rounds/n,time.Since(s)/time.Duration(n))
  }
 }
}
