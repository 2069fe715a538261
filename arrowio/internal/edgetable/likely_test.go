package edgetable

import (
	"strings"
	"testing"
)

func TestLikelyPair(t *testing.T) {
	for names, want := range map[string]string{
		"start,end":                              "start,end",
		"who,whom":                               "who,whom",
		"x,x":                                    "",
		",b":                                     "",
		"id,name":                                "id,name", // there are only two
		"kind,who,whom":                          "",
		"time,source_ip,destination_ip":          "source_ip,destination_ip",
		"DestIP,weight,SrcIP":                    "SrcIP,DestIP",
		"from_node,x,to_node":                    "from_node,to_node",
		"node1,node2,p":                          "node1,node2",
		"protein1,protein2,combined_score":       "protein1,protein2",
		"Official Symbol A,id,Official Symbol B": "Official Symbol A,Official Symbol B",
		"id,caller,callee":                       "caller,callee",
		"tax,tbx,c":                              "", // letters within words
		"x,y,z":                                  "x,y",
	} {
		src, dst, ok := LikelyPair(strings.Split(names, ","))
		if got := src + "," + dst; ok != (want != "") || ok && got != want {
			t.Errorf("%s: %s, %v; want %s", names, got, ok, want)
		}
	}
}
