// As much of Moshi as the generated client touches, so that it can be compiled without it.
package com.squareup.moshi.kotlin.reflect

class KotlinJsonAdapterFactory
